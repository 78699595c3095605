package secrets

import "testing"

func TestMaskURLs(t *testing.T) {
	pw := fake("pa55", "word")
	for _, s := range []spoken{
		say(markPassword, "https://user:{}@host.example/x?y=1", pw),
		say(markPassword, "postgres://tide:{}@10.0.0.1:5432/db", fake("Ex@mple", "123")),
		say(markPassword, "mysql://root:{}@db/app", fake("p#ss", "/w0rd")),
		say(markPassword, "redis://:{}@localhost:6379/0", pw),
		say(markPassword, "mongodb+srv://tide:{}@cluster0.example.net", pw),
		say(markPassword, "amqp://a:{}@h1 和 amqp://b:{}@h2", pw, pw),
		say(markPassword, "git clone https://bob:{}@example.com/a.git", pw),
		say(markPassword, "(ftp://bob:{}@ftp.example.com)", pw),
		say(markPassword, "DATABASE_URL=postgres://u:{}@h/db", pw),
		say(markPassword, `"url":"https://u:{}@h/"`, pw),
		say(markPassword, "https://u:{}@[::1]:8080/", pw),
		say(markToken, "https://{}@example.com/a.git", chars(isAlnum, 24)),
		say(markToken, "https://x.example/cb?access_token={}&x=1", opaque),
		say(markToken, "https://x.example/cb#token={}", opaque),
		say(markAPIKey, "https://x.example/?api_key={}", opaque),
		say(markAPIKey, "https://x.example/?q=tide&key={}", fake("AbCd", "Ef01", "23456789")),
		say(markToken, "https://x.example/?X-Amz-Signature={}", chars(isLower|isDigit, 64)),
		say(markToken, "https://x.example/?sig={}", fake("aB3", "dE6gH9kL2nP5", "%3D")),
		say(markPassword, "https://x.example/login?user=bob&password={}&next=%2F", pw),
		say(markToken, "https://hooks.slack.com/services/{}", fake("T0000000/", "B0000000/", chars(isAlnum, 24))),
		say(markToken, "https://discord.com/api/webhooks/{} ok", fake("1234567890/", chars(isName, 60))),
		say(markToken, "https://open.feishu.cn/open-apis/bot/v2/hook/{}", "7ecc52ca-06be-4235-9a18-114dd3219a5f"),
		say(markPassword, "curl -u bob:{} https://example.com", pw),
		say(markPassword, `curl -s -u "bob:{}" https://example.com`, pw),
	} {
		s.check(t)
	}
}

func TestMaskLeavesURLs(t *testing.T) {
	for _, text := range []string{
		"https://example.com/a:b@c", "https://example.com:8080/a@b", "http://localhost:3000/@fs/x", "https://example.com/?q=a@b:c",
		"https://user@example.com/", "ssh://git@example.com:22/a/b.git", "git@example.com:bob/tide.git", "https://example.com/users/@bob",
		"https://example.com/?page=2&key=name&token_type=jwt", "https://example.com/?sort=key", "https://discord.com/api/webhooks/",
		"https://hooks.slack.com/services/", "docker run -u 1000:1000 img", "sort -u a:b", "://", "x://:@", "see https://t.co/abc123",
		"postgres://localhost/db?sslmode=disable", "file:///C:/a@b", "mailto:bob@example.com", "https://medium.com/@bob/a-b-c-1234567890ab",
	} {
		untouched(t, text)
	}
}
