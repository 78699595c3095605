package secrets

import (
	"strings"
	"testing"
)

// keyBlock makes a private key block of a few lines; feed joins the lines.
func keyBlock(name, feed string) string {
	lines := []string{fake("-----", "BEGIN ", name, "-----")}
	for i := range 4 {
		lines = append(lines, chars(isAlnum, 64-i))
	}
	lines = append(lines, chars(isAlnum, 20)+"==", fake("-----", "END ", name, "-----"))
	return strings.Join(lines, feed)
}

var keyNames = []string{"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"}

func TestMaskPrivateKeys(t *testing.T) {
	for _, name := range keyNames {
		for _, feed := range []string{"\n", "\r\n", `\n`, `\\n`, " "} {
			for _, s := range []spoken{
				say(markPrivateKey, "{}", keyBlock(name, feed)),
				say(markPrivateKey, "here it is:\n{}\nkeep it", keyBlock(name, feed)),
				say(markPrivateKey, `{"key":"{}","n":1}`, keyBlock(name, feed)),
				say(markPrivateKey, "{} {}", keyBlock(name, feed), keyBlock(name, feed)),
			} {
				s.check(t)
			}
		}
	}
}

func TestMaskPrivateKeyWithoutEnd(t *testing.T) {
	for _, name := range keyNames {
		for _, feed := range []string{"\n", `\n`} {
			block := keyBlock(name, feed)
			open := block[:strings.LastIndex(block, feed)]
			say(markPrivateKey, "{}", open).check(t)
			say(markPrivateKey, "{}"+feed+"please keep it, Bob: thanks", open).check(t)
		}
	}
}

func TestMaskPrivateKeyHeaders(t *testing.T) {
	block := keyBlock("RSA PRIVATE KEY", "\n")
	first := strings.IndexByte(block, '\n') + 1
	headers := "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0011223344556677\n\n"
	say(markPrivateKey, "{}", block[:first]+headers+block[first:]).check(t)
	end := strings.LastIndexByte(block, '\n')
	say(markPrivateKey, "{}\nHost: example", block[:first]+headers+block[first:end]).check(t)
}

func TestMaskKeepsPublicKeys(t *testing.T) {
	public := strings.ReplaceAll(keyBlock("PUBLIC KEY", "\n"), "PRIVATE", "PUBLIC")
	for _, text := range []string{
		public, keyBlock("CERTIFICATE", "\n"), "BEGIN PRIVATE KEY is how such a file begins", "BEGIN", "-----BEGIN", "-----BEGIN -----",
		"# BEGIN managed by tidemark\nx\n# END managed by tidemark", "BEGIN TRANSACTION; COMMIT; END",
	} {
		untouched(t, text)
	}
}
