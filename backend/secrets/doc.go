// Package secrets replaces credentials in text by marks before the text is
// stored, indexed, shown or logged: "my pin is 4921" becomes
// "my pin is [masked: password]".
//
// Three families of rules find them: published token formats (a prefix and a
// shape), a word that announces a credential together with the value that
// follows it (English, Chinese in both scripts, Japanese, Korean), and numbers
// that prove themselves by a check digit (payment cards, mainland Chinese
// identity numbers). The rules are deterministic and look at nothing but the
// text. They cannot find a credential that looks like an ordinary word and is
// not announced. An ordinary word that is announced is masked only where it
// fills its clause ("the password is swordfish"); one that describes is not
// ("the password is wrong").
//
// Text is scanned once by a gate that knows three bytes of every rule; only
// where the gate opens does a rule look closer, and every look is bounded. All
// functions are safe for concurrent use and hold no state between calls.
package secrets
