// Package secrets replaces credentials in text by marks before the text is
// stored, indexed, shown or logged: "my pin is 4921" becomes
// "my pin is [masked: password]".
//
// The first layer is this package's own. Three families of rules find
// credentials: published token formats (a prefix and a shape), a word that
// announces a credential together with the value that follows it (English,
// Chinese in both scripts, Japanese, Korean), and numbers that prove themselves
// by a check digit (payment cards, mainland Chinese identity numbers). The
// rules are deterministic and look at nothing but the text. They cannot find a
// credential that looks like an ordinary word and is not announced. An ordinary
// word that is announced is masked only where it fills its clause ("the
// password is swordfish"); one that describes is not ("the password is wrong").
// Text is scanned once by a gate that knows three bytes of every rule; only
// where the gate opens does a rule look closer, and every look is bounded.
//
// The second layer are the rules of gitleaks, which know some hundred vendors
// more. Mask always asks it, so that all that is stored has passed it, and what
// comes out is the same whether it was needed before or not. It is asked last,
// about what the first layer left, and only about text around a run of ten or
// more token characters with a digit and a letter among them, with one of the
// rules' words close by: prose has neither and costs nothing more. The rules are
// compiled when a text first needs them, once, which takes some tens of
// milliseconds. They see no more than the first 64 KiB of a text. If they fail,
// the result is that of the first layer. See leak_words.go for those left out.
//
// All functions are safe for concurrent use and hold no state between calls.
package secrets
