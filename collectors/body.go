package collectors

import (
	"fmt"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// maxBody bounds one answer, unpacked, so that whoever answers in AWS's place can't
// use up memory. The largest answers are those of GetMetricData, at most 100,800
// points (API reference), about 3 MB.
const maxBody = 32 << 20

// boundedClient gives up on an answer that is too long.
type boundedClient struct{ aws.HTTPClient }

func (c boundedClient) Do(r *http.Request) (*http.Response, error) {
	response, err := c.HTTPClient.Do(r)
	if err == nil && response.Body != nil {
		response.Body = &boundedBody{response.Body, maxBody}
	}
	return response, err
}

// boundedBody is a body of which so many bytes may still be read.
type boundedBody struct {
	io.ReadCloser
	left int
}

var errLongBody = fmt.Errorf("the answer is longer than %d MB", maxBody>>20)

func (b *boundedBody) Read(p []byte) (int, error) {
	if len(p) > b.left {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if n > b.left {
		return b.left, errLongBody
	}
	b.left -= n
	return n, err
}
