package secrets

import "testing"

func TestCommands(t *testing.T) {
	for _, s := range []spoken{
		say(markPassword, "curl -u bob:{} https://example.com", simple),
		say(markPassword, "curl --user bob:{} https://example.com", simple),
		say(markPassword, "curl --user=bob:{} https://example.com", simple),
		say(markPassword, `curl -s -u "bob:{}" https://example.com`, simple),
		say(markPassword, "sshpass -p {} ssh bob@example.com", simple),
		say(markPassword, "sshpass -p '{}' ssh bob@example.com", simple),
		say(markPassword, "mysql -u root -p{} shop", simple),
		say(markPassword, "mysqldump -uroot -p'{}' shop > shop.sql", simple),
		say(markPassword, "redis-cli -h db -a {} ping", simple),
	} {
		s.check(t)
	}
	for _, text := range []string{
		"curl -u bob https://example.com", "curl -u bob: https://example.com", `curl --user-agent "Mozilla/5.0 (x11)" https://example.com`, "--user bob:1000 in the image",
		"mysql -u root -p shop", "mysql -P3306 -h db", "mysql -p$MYSQL_PASSWORD shop", "sshpass -e ssh bob@example.com", "sshpass is for scripts",
		"sshpass -p $PASS ssh bob", "redis-cli -h 10.0.0.5 -n 2", "redis-cli\n -a few words", "ssh -p 2222 bob@example.com",
	} {
		untouched(t, text)
	}
}
