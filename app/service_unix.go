//go:build !windows

package app

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/kardianos/service"
)

// readUnit gives what is installed.
func readUnit(u unit) (string, error) {
	text, err := os.ReadFile(u.path)
	return string(text), err
}

// userService installs units through github.com/kardianos/service, for the
// person alone. Our own text takes the place of its template.
type userService struct{ system service.System }

// systemKeeper finds what starts programs at login here.
func systemKeeper() (keeper, error) {
	want := map[string]string{"linux": "linux-systemd", "darwin": "darwin-launchd"}[runtime.GOOS]
	if runtime.GOOS == "linux" {
		if out, err := exec.Command("systemctl", "--user", "show-environment").CombinedOutput(); err != nil {
			return nil, noKeeper(fmt.Sprintf("systemd has no session for this user here (%v: %s)", err, firstLine(string(out))))
		}
	}
	for _, s := range service.AvailableSystems() {
		if s.String() == want {
			return userService{s}, nil
		}
	}
	return nil, noKeeper("neither systemd nor launchd is here")
}

// nothing is what the library starts where it runs a service itself.
type nothing struct{}

func (nothing) Start(service.Service) error { return nil }
func (nothing) Stop(service.Service) error  { return nil }

func (s userService) of(u unit) (service.Service, error) {
	return s.system.New(nothing{}, &service.Config{Name: serviceName, Executable: u.program,
		Option: service.KeyValue{"UserService": true, "SystemdScript": u.text, "LaunchdConfig": u.text}})
}

func (s userService) install(u unit) error {
	svc, err := s.of(u)
	if err != nil {
		return fmt.Errorf("install the service: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(u.path), 0o755); err != nil {
		return fmt.Errorf("install the service: %w", err)
	}
	if err = svc.Install(); err == nil {
		err = svc.Start()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("install the service: %w", err), s.remove(u))
	}
	return nil
}

// remove takes the unit away although the system may not know it any more.
func (s userService) remove(u unit) error {
	svc, err := s.of(u)
	if err != nil {
		return fmt.Errorf("remove the service: %w", err)
	}
	_ = svc.Stop() // it may not run
	if err := svc.Uninstall(); err != nil {
		if gone := os.Remove(u.path); gone != nil && !errors.Is(gone, os.ErrNotExist) {
			return errors.Join(fmt.Errorf("remove the service: %w", err), gone)
		}
	}
	return nil
}

func (s userService) running(u unit) bool {
	svc, err := s.of(u)
	if err != nil {
		return false
	}
	status, err := svc.Status()
	return err == nil && status == service.StatusRunning
}
