//go:build desktop

package app

import (
	gort "runtime"

	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/menu/keys"
)

// eventMenu is what the page hears of its menu: what was chosen.
const eventMenu = "tidemark:menu"

// menuOf gives the menu of the window. What it does is done by the page, which
// has words and keys for all of it; the menu is another way there.
func menuOf(language string, w *window, h *host) *menu.Menu {
	say := menuWords(language)
	tell := func(what string) func(*menu.CallbackData) {
		return func(*menu.CallbackData) { w.Emit(eventMenu, what) }
	}
	all := menu.NewMenu()
	if gort.GOOS == "darwin" {
		all.Append(menu.AppMenu())
	}
	file := all.AddSubmenu(say["file"])
	file.AddText(say["palette"], keys.CmdOrCtrl("k"), tell("palette"))
	file.AddText(say["settings"], keys.CmdOrCtrl(","), tell("go:settings"))
	file.AddSeparator()
	file.AddText(say["close"], keys.CmdOrCtrl("w"), func(*menu.CallbackData) {
		if h.beforeClose() {
			return
		}
		h.quit()
	})
	file.AddText(say["quit"], keys.CmdOrCtrl("q"), func(*menu.CallbackData) { h.quit() })
	if gort.GOOS == "darwin" {
		all.Append(menu.EditMenu())
	}
	view := all.AddSubmenu(say["view"])
	view.AddText(say["refresh"], keys.CmdOrCtrl("r"), tell("refresh"))
	view.AddSeparator()
	view.AddText(say["larger"], keys.CmdOrCtrl("+"), tell("zoom:in"))
	view.AddText(say["smaller"], keys.CmdOrCtrl("-"), tell("zoom:out"))
	view.AddText(say["usual"], keys.CmdOrCtrl("0"), tell("zoom:reset"))
	to := all.AddSubmenu(say["go"])
	for n, name := range []string{"today", "sessions", "compactions", "costs", "statements", "problems"} {
		to.AddText(say[name], keys.CmdOrCtrl(string(rune('1'+n))), tell("go:"+name))
	}
	help := all.AddSubmenu(say["help"])
	help.AddText(say["keys"], keys.Key("F1"), tell("help"))
	return all
}
