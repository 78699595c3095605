package secrets

// ordinary are the words that follow "the password is" or "password:" without
// being one.
var ordinary = words(
	// what is said of a credential
	"wrong", "incorrect", "invalid", "correct", "right", "valid", "required", "missing", "weak", "strong", "short", "long",
	"safe", "secure", "insecure", "old", "new", "same", "different", "changed", "reset", "gone", "lost", "unknown", "empty",
	"blank", "secret", "private", "public", "confidential", "encrypted", "hashed", "saved", "stored", "fine", "okay", "good",
	"bad", "great", "perfect", "ready", "broken", "hidden", "stolen", "forgotten", "known", "given", "shown", "written",
	"taken", "chosen", "easy", "hard", "simple", "complex", "tricky", "shared", "current", "different", "relevant", "ancient", "recent", "silly", "scary", "visible", "plain", "unique",
	"random", "personal", "sensitive", "important", "necessary", "needed", "optional", "mandatory", "temporary", "permanent",
	"default", "obvious", "terrible", "awful", "better", "worse", "best", "enough", "common", "case", "case-sensitive",
	"expired", "leaked", "exposed", "compromised", "protected", "locked", "disabled", "enabled", "active", "inactive",
	"available", "unavailable", "pending", "failed", "denied", "accepted", "rejected", "success", "successful", "failure",
	"error", "revoked", "rotated", "verified", "unverified", "masked", "redacted", "removed", "deleted", "present", "absent",
	"super", "very", "quite", "pretty", "also", "even", "never", "maybe", "probably", "almost", "exactly", "literally",
	// what stands there instead of one
	"what", "which", "where", "when", "who", "why", "how", "that", "this", "these", "those", "there", "here", "above", "below",
	"attached", "following", "something", "anything", "nothing", "everything", "someone", "mine", "yours", "ours", "theirs",
	"them", "they", "your", "please", "enter", "type", "input", "choose", "create", "confirm", "forgot", "forget", "change",
	"update", "minimum", "maximum", "length", "must", "should", "cannot", "only", "with", "from", "into", "like", "just",
	"used", "using", "being", "about", "after", "before", "under", "over", "again", "still", "then", "than", "both", "none",
	"other", "another", "each", "every", "more", "less", "least", "most", "some", "any", "yes", "okay", "check", "note", "see",
	"don't", "doesn't", "didn't", "isn't", "wasn't", "can't", "won't", "it's", "that's", "i'm", "you", "your", "their",
	// what one is, or is for
	"password", "passwords", "passcode", "username", "email", "e-mail", "account", "login", "user", "name", "phone", "number",
	"birthday", "date", "text", "word", "string", "phrase", "sentence", "letters", "digits", "numbers", "characters", "field",
	"page", "form", "link", "file", "folder", "document", "manager", "policy", "protection", "generator", "security",
	"authentication", "authorization", "encryption", "verification", "recovery", "access", "sign", "signin", "server", "client",
	"admin-only", "read-only", "write-only", "http", "https", "token", "tokens", "bearer", "basic", "key", "keys", "pin",
	"time", "today", "tomorrow", "yesterday", "week", "month", "year", "home", "work", "office", "vault", "safe", "notebook",
	"refresh", "session", "flag", "argument", "parameter", "options", "option", "setting", "prompt", "passwd", "pwd", "passphrase", "production", "staging", "development", "testing", "example",
)

// terms are names of techniques and products that look like values.
var terms = words(
	"1password", "lastpass", "bitwarden", "keepass", "keepassxc", "dashlane", "keychain", "icloud", "faceid", "touchid",
	"wpa", "wpa2", "wpa3", "wpa2-psk", "wpa2/wpa3", "wpa3-sae", "wep", "sha1", "sha-1", "sha2", "sha256", "sha-256", "sha512",
	"sha-512", "md5", "base64", "base64url", "base32", "base58", "bcrypt", "argon2", "argon2id", "scrypt", "pbkdf2", "hmac-sha256",
	"aes", "aes128", "aes-128", "aes256", "aes-256", "aes-256-gcm", "aes-128-cbc", "aes-256-cbc", "rsa", "rsa2048", "rsa-2048", "rsa4096",
	"rsa-4096", "ed25519", "x25519", "secp256k1", "p-256", "oauth", "oauth2", "oauth2.0", "oauth1", "oidc", "saml", "saml2",
	"jwt", "sso", "2fa", "mfa", "totp", "sms", "utf8", "utf-8", "utf16", "ascii", "http2", "http/2", "http/1.1", "ssh", "ssl",
	"tls", "tls1.2", "tls1.3", "json", "yaml", "xml", "html", "html5", "css3", "es6", "wifi", "wi-fi", "iphone", "android",
	"windows", "windows10", "windows11", "win10", "win11", "macos", "linux", "ios", "chrome", "p12", "pkcs12", "pkcs8", "pkcs1", "x509", "x.509",
	"hs256", "hs512", "rs256", "rs512", "es256", "ps256", "k8s", "s3", "ec2", "i18n", "web3", "ipv4", "ipv6", "mp3", "mp4",
	"api", "app", "url", "uuid", "uuid4", "uuidv4", "uuidv7", "erc20", "erc-20", "erc721", "erc-721", "bep20", "f2a", "u2f", "fido2",
	"office365", "microsoft365", "m365", "web2", "ps5", "ps4", "vscode", "github", "gitlab", "google", "wechat", "telegram",
	"python3", "node18", "node20", "node22", "ubuntu22.04", "debian12", "localhost", "127.0.0.1", "0.0.0.0", "and/or", "c++", "at&t",
	"pkcs#1", "pkcs#5", "pkcs#7", "pkcs#8", "pkcs#11", "pkcs#12", "a-z", "a-z0-9", "a-za-z0-9", "gpt-4", "gpt-4o", "gpt4", "gpt-5", "utf8mb4", "level1", "level2", "tier1", "tier2", "oauth2-proxy",
)

// typeNames are the types that programs and schemas write after a name.
var typeNames = words(
	"string", "strings", "str", "bool", "boolean", "int", "integer", "number", "float", "double", "char", "byte", "bytes",
	"bytearray", "rune", "any", "object", "array", "list", "dict", "map", "set", "tuple", "void", "never", "unknown", "struct",
	"interface", "optional", "varchar", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float32",
	"float64", "uintptr", "usize", "wchar_t", "size_t", "secretstr", "nsstring", "bstr", "lpwstr", "lpstr", "compat",
)

// codeNames are variables and expressions that programs write after a name and
// that are not told by their shape.
var codeNames = words(
	"auth", "split", "pwd", "passwd", "undefined", "true", "false", "required", "text", "uuid", "include", "omit", "same-origin", "await", "async", "new", "return", "function", "func",
	"def", "lambda", "self", "this", "super", "input", "value", "val", "data", "result", "args", "argv", "params", "props",
	"event", "form", "user", "name", "config", "env", "request", "req", "response", "res", "body", "query", "header", "headers",
	"line", "word", "item", "key", "index", "temp", "tmp", "var", "let", "const", "getpass", "sys", "readline", "prompt",
	"process", "document", "window", "hidden", "visible", "disabled", "enabled", "autocomplete", "type", "field", "label",
	"placeholder", "title", "description", "example", "sample", "default", "secret", "password", "token", "hash", "hashed",
	"encrypted", "decrypted", "buffer", "stream", "reader", "writer", "context", "option", "options", "settings", "public",
	"private", "protected", "static", "final", "readonly", "length", "not", "and", "or", "if", "else", "in", "is", "cls", "raw_input",
	"bearer", "basic", "apikey", "header", "cookie", "session", "oauth", "oauth2", "env_var", "file", "path", "generated", "random",
)

// prose are words of sentences about passwords.
var prose = words("must", "should", "please", "enter", "your", "invalid", "required", "is", "are", "cannot", "can't", "not",
	"password", "passwords", "failed", "error", "wrong", "has", "does", "was", "if", "when", "least", "used", "for", "token",
	"secret", "you", "we", "too", "don't", "doesn't", "will", "which", "that", "only", "characters", "optional")

// closeProse are the characters of Chinese sentences about passwords.
const closeProse = "什么麼啥哪谁誰吗嗎怎不没沒错錯请請须須必空误誤联聯系问問"
