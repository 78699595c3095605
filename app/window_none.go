//go:build !desktop

package app

import "context"

// windowed says that this program was built with a window.
const windowed = false

func (c *command) openWindow(context.Context, string) error { return nil }
