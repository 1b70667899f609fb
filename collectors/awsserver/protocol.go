package awsserver

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fxamacker/cbor/v2"
)

// protocol is how one request came and its answer goes.
type protocol struct {
	contentType string
	encode      func(action string, d document) ([]byte, error)
	fault       func(r *refusal) ([]byte, error)
	headers     http.Header
}

// parse tells a request's protocol and action, and reads its body.
func parse(r *http.Request, body []byte) (protocol, string, document, error) {
	target := r.Header.Get("X-Amz-Target")
	switch {
	case r.Header.Get("Smithy-Protocol") == "rpc-v2-cbor":
		_, action, found := strings.Cut(r.URL.Path, "/operation/")
		if !found {
			return protocol{}, "", nil, errors.New("no operation in the path")
		}
		in, err := readCBOR(body)
		return cborProtocol, action, in, err
	case target != "":
		var in document
		if err := json.Unmarshal(body, &in); err != nil {
			return protocol{}, "", nil, fmt.Errorf("read JSON: %w", err)
		}
		_, action, _ := strings.Cut(target, ".")
		return jsonProtocol(r.Header.Get("Content-Type")), action, in, nil
	}
	form, err := url.ParseQuery(string(body))
	if err != nil || form.Get("Action") == "" {
		return protocol{}, "", nil, errors.New("neither CBOR nor JSON nor a query with an action")
	}
	return queryProtocol, form.Get("Action"), readForm(form), nil
}

func (p protocol) write(w http.ResponseWriter, action string, d document) {
	body, err := p.encode(action, d)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	p.send(w, http.StatusOK, body)
}

func (p protocol) fail(w http.ResponseWriter, r *refusal) {
	body, err := p.fault(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("X-Amzn-Errortype", r.code)
	p.send(w, r.status, body)
}

func (p protocol) send(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	maps.Copy(h, p.headers)
	h.Set("Content-Type", p.contentType)
	h.Set("X-Amzn-Requestid", "00000000-0000-4000-8000-000000000000")
	h.Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10))
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// cborProtocol is Smithy RPC v2 CBOR: times are tag 1 around a float.
var cborProtocol = protocol{
	contentType: "application/cbor",
	headers:     http.Header{"Smithy-Protocol": {"rpc-v2-cbor"}},
	encode: func(_ string, d document) ([]byte, error) {
		mode, err := cbor.EncOptions{Time: cbor.TimeUnixMicro, TimeTag: cbor.EncTagRequired, Sort: cbor.SortBytewiseLexical}.EncMode()
		if err != nil {
			return nil, err
		}
		return mode.Marshal(d)
	},
	fault: func(r *refusal) ([]byte, error) {
		return cbor.Marshal(map[string]string{"__type": "com.amazonaws.cloudwatch#" + r.code, "message": r.message})
	},
}

func readCBOR(body []byte) (document, error) {
	mode, err := cbor.DecOptions{DefaultMapType: mapType}.DecMode()
	if err != nil {
		return nil, err
	}
	var in document
	if err := mode.Unmarshal(body, &in); err != nil {
		return nil, fmt.Errorf("read CBOR: %w", err)
	}
	return in, nil
}

// jsonProtocol is awsJson 1.0 or 1.1: times are seconds since the epoch.
func jsonProtocol(contentType string) protocol {
	return protocol{
		contentType: contentType,
		encode:      func(_ string, d document) ([]byte, error) { return json.Marshal(plain(d)) },
		fault: func(r *refusal) ([]byte, error) {
			return json.Marshal(map[string]string{"__type": "com.amazonaws#" + r.code, "message": r.message})
		},
	}
}

// plain turns times into the numbers that JSON carries.
func plain(v any) any {
	switch v := v.(type) {
	case document:
		out := make(map[string]any, len(v))
		for k, inner := range v {
			out[k] = plain(inner)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = plain(inner)
		}
		return out
	case time.Time:
		return float64(v.UnixMilli()) / 1000
	}
	return v
}

// queryProtocol is awsQuery: forms in, XML out.
var queryProtocol = protocol{
	contentType: "text/xml",
	encode: func(action string, d document) ([]byte, error) {
		var b strings.Builder
		fmt.Fprintf(&b, "<%sResponse xmlns=\"https://hotpart.invalid/doc/\"><%sResult>", action, action)
		writeXML(&b, d)
		fmt.Fprintf(&b, "</%sResult><ResponseMetadata><RequestId>00000000-0000-4000-8000-000000000000</RequestId></ResponseMetadata></%sResponse>", action, action)
		return []byte(b.String()), nil
	},
	fault: func(r *refusal) ([]byte, error) {
		var b strings.Builder
		b.WriteString("<ErrorResponse><Error>")
		writeXML(&b, document{"Type": "Sender", "Code": r.code, "Message": r.message})
		b.WriteString("</Error><RequestId>00000000-0000-4000-8000-000000000000</RequestId></ErrorResponse>")
		return []byte(b.String()), nil
	},
}

func writeXML(b *strings.Builder, v any) {
	switch v := v.(type) {
	case document:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			fmt.Fprintf(b, "<%s>", name)
			writeXML(b, v[name])
			fmt.Fprintf(b, "</%s>", name)
		}
	case []any:
		for _, inner := range v {
			b.WriteString("<member>")
			writeXML(b, inner)
			b.WriteString("</member>")
		}
	case time.Time:
		b.WriteString(v.UTC().Format("2006-01-02T15:04:05.000Z"))
	default:
		_ = xml.EscapeText(textWriter{b}, fmt.Append(nil, v))
	}
}

type textWriter struct{ b *strings.Builder }

func (w textWriter) Write(p []byte) (int, error) { return w.b.Write(p) }

var _ io.Writer = textWriter{}

// readForm reads names such as MetricDataQueries.member.1.MetricStat.Period.
func readForm(form url.Values) document {
	root := document{}
	for name, values := range form {
		put(root, strings.Split(name, "."), values[0])
	}
	return listed(root).(document)
}

func put(d document, path []string, value string) {
	if len(path) == 1 {
		d[path[0]] = value
		return
	}
	inner, ok := d[path[0]].(document)
	if !ok {
		inner = document{}
		d[path[0]] = inner
	}
	put(inner, path[1:], value)
}

// listed turns {"member": {"1": a, "2": b}} into a list.
func listed(v any) any {
	d, ok := v.(document)
	if !ok {
		return v
	}
	if members, ok := d["member"].(document); ok && len(d) == 1 {
		out := make([]any, len(members))
		for i := range out {
			out[i] = listed(members[strconv.Itoa(i+1)])
		}
		return out
	}
	for name, inner := range d {
		d[name] = listed(inner)
	}
	return d
}
