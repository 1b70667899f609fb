package collectors

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// profiles writes a config file for the SDK.
func profiles(t *testing.T, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_CONFIG_FILE", path)
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
}

func TestEachWayToLackCredentialsIsSaidWithWhatToType(t *testing.T) {
	tests := []struct {
		name, config, profile, region string
		says                          []string
	}{
		{"none", "", "", "eu-west-1", []string{"none were found", "hint: aws configure"}},
		{"no Region", "", "", "", []string{"no Region is set", "hint: --region"}},
		{"missing profile", "", "nosuch", "eu-west-1", []string{`there is no profile "nosuch"`, "hint: aws configure list-profiles"}},
		{
			"SSO never begun", "[profile work]\nsso_session = s\nsso_account_id = 111122223333\nsso_role_name = r\n[sso-session s]\nsso_region = eu-west-1\nsso_start_url = https://sso.invalid/start\n",
			"work", "eu-west-1",
			[]string{"SSO session has expired or was never begun", "hint: aws sso login --profile work"},
		},
		{
			"credential_process fails", "[profile p]\ncredential_process = /bin/false\n", "p", "eu-west-1",
			[]string{"credential_process failed", "hint: run the command"},
		},
		{
			"MFA without a terminal", "[profile m]\nrole_arn = arn:aws:iam::111122223333:role/r\nsource_profile = base\nmfa_serial = arn:aws:iam::111122223333:mfa/me\n[profile base]\naws_access_key_id = AKIAEXAMPLE\naws_secret_access_key = secret\n",
			"m", "eu-west-1",
			[]string{"MFA code", "hint: run hotpart in a terminal"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			environment(t)
			t.Setenv("HOME", t.TempDir())
			profiles(t, test.config)
			t.Setenv("AWS_REGION", test.region)
			if test.region == "" {
				t.Setenv("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE")
				t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
			}
			began := time.Now()
			_, err := Open(t.Context(), Config{Profile: test.profile})
			if err == nil {
				t.Fatal("no error")
			}
			if took := time.Since(began); took > 3*time.Second {
				t.Errorf("took %s", took)
			}
			wantWords(t, err.Error(), test.says...)
			if lines := strings.Split(err.Error(), "\n"); len(lines) != 2 {
				t.Errorf("%d lines: %q", len(lines), err)
			}
		})
	}
}

func TestCredentialProcessesWork(t *testing.T) {
	environment(t)
	profiles(t, `[profile p]
region = eu-west-1
credential_process = echo '{"Version":1,"AccessKeyId":"AKIAEXAMPLE","SecretAccessKey":"secret"}'
`)
	t.Setenv("AWS_REGION", "")
	l, err := Open(t.Context(), Config{Profile: "p"})
	if err != nil || l.region != "eu-west-1" {
		t.Fatal(l, err)
	}
}

func TestRolesWithMFAAskForTheCodeOnce(t *testing.T) {
	environment(t)
	loopback := httptest.NewServer(serve(incident(t, "hot-key-tenant")))
	defer loopback.Close()
	t.Setenv("AWS_ENDPOINT_URL_STS", loopback.URL)
	profiles(t, `[profile m]
role_arn = arn:aws:iam::111122223333:role/r
source_profile = base
mfa_serial = arn:aws:iam::111122223333:mfa/me
[profile base]
aws_access_key_id = AKIAEXAMPLE
aws_secret_access_key = secret
`)
	for code, want := range map[string]string{"123456": "", "000000": "the role cannot be assumed"} {
		asked := 0
		_, err := Open(t.Context(), Config{Profile: "m", Prompt: func(question string) (string, error) {
			asked++
			wantWords(t, question, "MFA code for arn:aws:iam::111122223333:mfa/me")
			return code, nil
		}})
		if asked != 1 || (err == nil) != (want == "") {
			t.Errorf("code %s: asked %d times: %v", code, asked, err)
		}
		if err != nil {
			wantWords(t, err.Error(), want, "hint: aws sts get-caller-identity --profile m")
		}
	}
}
