package secrets

// The nouns that name a credential by themselves.
var (
	passwordNouns = words("password", "passwords", "passwd", "passwds", "pwd", "pwds", "psw", "pw", "pass",
		"pasword", "passwort", "passwrod", "passowrd", "passcode", "passcodes", "passphrase", "passphrases", "userpassword", "dbpassword", "dbpass", "rootpassword")
	tokenNouns = words("secret", "secrets", "credential", "credentials", "creds", "jwt", "bearer",
		"accesstoken", "authtoken", "refreshtoken", "bottoken", "apitoken", "usertoken", "sessiontoken",
		"clientsecret", "appsecret", "apisecret", "corpsecret")
	keyNouns     = words("apikey", "apikeys", "accesskey", "secretkey", "appkey", "authkey", "licensekey", "accountkey")
	privateNouns = words("privatekey", "privkey", "seckey")
	codeNouns    = words("pin", "pins", "puk", "otp", "otps", "totp", "pincode", "mfa", "authcode", "smscode", "otpcode", "verifycode")
	cvvNouns     = words("cvv", "cvc", "csc")
	headerNouns  = words("authorization", "authorisation", "cookie", "cookies")
)

// trailing are words after a noun that leave its meaning: password_old,
// tokenValue, API_KEY_PROD.
var trailing = words("value", "raw", "plain", "plaintext", "string", "str", "current", "old", "new", "prod", "production",
	"dev", "test", "staging", "live", "main", "primary", "secondary", "backup", "default", "hash", "base64", "b64",
	"confirm", "confirmation", "again", "header")

// countedTokens are the words before "token" with which it is a piece of text,
// a place in a list or a signal, but no credential.
var countedTokens = words("max", "min", "per", "total", "input", "output", "prompt", "completion", "cached", "cache",
	"reasoning", "context", "reserve", "reserved", "recent", "keep", "stop", "eos", "bos", "pad", "unk", "sep", "cls",
	"next", "page", "continuation", "cancel", "cancellation", "sync", "first", "last", "special", "design", "nft",
	"image", "audio", "text", "think", "thinking", "budget", "single", "each", "every", "number", "million")

// tokenOwners are the words before "token" with which it is a credential, even
// in the plural or when it consists of digits.
var tokenOwners = words("access", "refresh", "auth", "authentication", "authorization", "api", "bot", "bearer", "session",
	"id", "oauth", "secret", "device", "personal", "login", "security", "user", "client", "app", "gateway", "webhook",
	"verification", "csrf", "xsrf", "deploy", "registry", "npm", "pypi", "github", "gitlab", "slack", "discord", "telegram",
	"service", "signing", "push", "admin", "root", "hf", "huggingface", "openai", "time", "reset", "invite", "pairing")

// keyOwners are the words before "key" with which it is a credential.
var keyOwners = words("api", "access", "secret", "private", "encryption", "decryption", "encrypt", "aes", "signing",
	"license", "licence", "app", "application", "master", "gpg", "pgp", "service", "account", "client", "shared", "storage",
	"subscription", "bot", "wifi", "wpa", "network", "admin", "webhook", "deploy", "auth", "authentication", "hmac",
	"openai", "anthropic", "claude", "gemini", "deepseek", "groq", "grok", "mistral", "openrouter", "moonshot", "kimi",
	"qwen", "dashscope", "ai", "seek", "router", "labs", "stripe", "aws", "azure", "google", "github", "cloudflare", "brave", "tavily", "elevenlabs",
	"product", "activation", "recovery", "bitlocker")

// codeOwners are the words before "code" with which it opens something.
var codeOwners = words("verification", "verify", "access", "door", "gate", "entry", "garage", "alarm", "lock", "unlock",
	"login", "signin", "auth", "authentication", "authorization", "authorisation", "confirmation", "sms", "otp", "2fa", "fa",
	"mfa", "factor", "time", "onetime", "pin", "pass", "recovery", "backup", "pairing", "lockbox", "elevator", "apartment",
	"keypad", "wifi", "activation", "safe", "locker", "entrance", "parking", "dynamic", "temporary", "phone",
	"bluetooth", "voicemail", "sim", "puk", "flat", "house", "front", "lobby", "secret", "validation", "vault", "luggage")

// places are what a code opens: "the code for the gate".
var places = words("door", "gate", "garage", "alarm", "lock", "safe", "locker", "lockbox", "elevator", "apartment", "keypad",
	"entrance", "lobby", "vault", "building", "flat", "house", "shed", "office", "studio", "parking", "wifi")

// cvvOwners are the words before "code" with which it stands on a card.
var cvvOwners = words("cvv", "cvc", "csc", "security")

// lockOwners are the words before "combination" with which it opens something.
var lockOwners = words("safe", "lock", "locker", "padlock", "door", "gate", "vault", "luggage", "suitcase", "bike")

var patOwners = words("github", "gh", "gitlab", "azure", "ado", "access", "git", "bitbucket")

var phraseOwners = words("seed", "recovery", "mnemonic", "secret", "backup", "wallet")

var authOwners = words("basic", "proxy", "http")
