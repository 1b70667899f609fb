package report

import (
	"bytes"
	"flag"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

var toolchains = flag.Bool("toolchains", false, "also open the page in headless Chromium")

// TestPageInABrowserRunsAndLoadsNothing opens a page whose texts try to run a script and
// to load a picture, and looks for errors on the console and for what is asked for.
func TestPageInABrowserRunsAndLoadsNothing(t *testing.T) {
	if !*toolchains {
		t.Skip("a browser takes seconds: -toolchains runs it")
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium isn't installed")
	}
	var asked []string
	var mu sync.Mutex
	var page string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.Path)
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page))
	}))
	defer server.Close()
	attack := `</pre></td><script>console.error("ran")</script><img src="` + server.URL + `/leak" onerror="console.error(1)"><style>@import "` + server.URL + `/leak"</style>`
	page = render(t, HTML, everywhere(attack), Options{})
	dir := t.TempDir()
	cmd := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--user-data-dir="+dir, "--enable-logging=stderr",
		"--screenshot="+filepath.Join(dir, "page.png"), server.URL+"/page")
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "CONSOLE") {
			t.Error(line)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	seen := strings.Join(asked, " ")
	if seen != "/page /favicon.ico" && seen != "/page" { // browsers ask for an icon by themselves
		t.Errorf("asked for %s", seen)
	}
}

func TestPageNamesNothingToLoad(t *testing.T) {
	page := render(t, HTML, incident(), Options{})
	for _, what := range []string{"<script", "<link", "<img", "<iframe", "@import", " src=", " href="} {
		if strings.Contains(page, what) {
			t.Errorf("the page holds %s", what)
		}
	}
	if strings.Count(page, "url(") != strings.Count(page, "url(#") {
		t.Error("the style loads something")
	}
}
