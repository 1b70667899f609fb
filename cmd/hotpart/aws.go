package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/collectors"
)

// awsOptions are the AWS CLI's own, by its names. Several profiles or Regions are asked
// side by side.
type awsOptions struct {
	profile, region, endpoint string
	linked                    bool
}

func (o *awsOptions) linkedFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.linked, "linked-accounts", false, "ask for the tables of the accounts linked with a monitoring account of CloudWatch too")
}

func (o *awsOptions) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.profile, "profile", "", "the AWS `profile` (as for the AWS CLI), or several: a,b")
	cmd.Flags().StringVar(&o.region, "region", "", "the AWS `Region` (as for the AWS CLI), or several: a,b")
	cmd.Flags().StringVar(&o.endpoint, "endpoint-url", "", "another `URL` to ask instead of AWS's (as for the AWS CLI)")
}

// connect finds credentials and says so where a person may have to wait.
func (a app) connect(ctx context.Context, o awsOptions, c collectors.Config) (*collectors.Many, error) {
	profiles, err := names("profile", o.profile)
	if err != nil {
		return nil, err
	}
	regions, err := names("region", o.region)
	if err != nil {
		return nil, err
	}
	c.EndpointURL, c.Prompt = o.endpoint, a.prompt()
	l, err := collectors.OpenMany(ctx, c, profiles, regions)
	if err != nil || !o.linked {
		return l, err
	}
	linked, err := l.Link(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(linked) == 0:
		a.warn("no linked account shares metrics of these tables, used within three hours")
	default:
		a.warn("linked accounts, of which metrics alone are told: %s", strings.Join(linked, ", "))
	}
	return l, nil
}

// names are a flag's, each once; none where it is empty.
func names(flag, given string) ([]string, error) {
	if given == "" {
		return nil, nil
	}
	var out []string
	for name := range strings.SplitSeq(given, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			return nil, usage("--%s %q has an empty name\nhint: --%s a,b names two", flag, given, flag)
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out, nil
}

// prompt asks for a line on the terminal; nil where stdin is none.
func (a app) prompt() func(string) (string, error) {
	file, ok := a.in.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	return func(question string) (string, error) {
		if _, err := fmt.Fprint(a.err, telemetry.Clean(question)); err != nil {
			return "", err
		}
		line, err := bufio.NewReader(file).ReadString('\n')
		return strings.TrimSpace(line), err
	}
}

// asking tells on stderr what is being waited for.
func (a app) asking(l *collectors.Many, tables []string) {
	what := strings.Join(tables, ", ")
	if len(tables) == 0 {
		what = "every table"
	}
	a.warn("asking AWS about %s in %s", what, l.Places())
}

// spent tells what was asked of AWS, and what that costs.
func (a app) spent(l *collectors.Many) {
	m := l.Meter()
	a.warn("asked AWS for %d metrics in %d calls, about $%.4f", m.Metrics, m.Calls, m.Dollars())
}
