package app

import "strings"

// menuWords gives the words of the menu in a language; what the person did not
// choose is English.
func menuWords(language string) map[string]string {
	if strings.HasPrefix(language, "zh") {
		return map[string]string{
			"file": "文件", "palette": "跳到…", "settings": "设置…", "close": "关闭窗口", "quit": "退出 Tidemark",
			"view": "显示", "refresh": "重新读取", "larger": "放大", "smaller": "缩小", "usual": "原始大小",
			"go": "前往", "today": "今天", "sessions": "会话", "compactions": "压缩", "costs": "花费", "statements": "原话", "problems": "问题",
			"help": "帮助", "keys": "键盘快捷键",
		}
	}
	return map[string]string{
		"file": "File", "palette": "Jump to…", "settings": "Settings…", "close": "Close window", "quit": "Quit Tidemark",
		"view": "View", "refresh": "Read again", "larger": "Larger", "smaller": "Smaller", "usual": "Usual size",
		"go": "Go", "today": "Today", "sessions": "Sessions", "compactions": "Compactions", "costs": "Costs", "statements": "Statements", "problems": "Problems",
		"help": "Help", "keys": "Keyboard shortcuts",
	}
}

// look is what a window has to know of the person's choices before its page
// does.
type look struct{ Language, Theme string }
