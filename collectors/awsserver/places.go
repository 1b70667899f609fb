package awsserver

import (
	"net/http"
	"strings"
)

// Places are servers by the Region that a request is signed for, or by access key
// and Region, such as "AKIAEXAMPLE/eu-west-1", side by side as AWS's are.
type Places map[string]*Server

// at is the server that a request is meant for; nil for none.
func (p Places) at(r *http.Request) *Server {
	_, scope, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	parts := strings.Split(scope, "/") // key, day, Region, service
	if len(parts) < 4 {
		return nil
	}
	if s := p[parts[0]+"/"+parts[2]]; s != nil {
		return s
	}
	return p[parts[2]]
}

// ServeHTTP answers one call.
func (p Places) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s := p.at(r); s != nil {
		s.ServeHTTP(w, r)
		return
	}
	http.Error(w, "nobody is there", http.StatusNotFound)
}

// Client reaches the servers without a network.
func (p Places) Client() *http.Client { return &http.Client{Transport: placesTransport(p)} }

type placesTransport Places

func (t placesTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	s := Places(t).at(r)
	if s == nil {
		return nil, http.ErrServerClosed
	}
	return transport{s}.RoundTrip(r)
}
