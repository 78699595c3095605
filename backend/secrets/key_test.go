package secrets

import (
	"strings"
	"testing"
)

// Keys that name a credential, by the mark of their values.
var secretKeys = map[mark]string{
	markPassword: `password passwd pwd userPassword db_password DB-PASSWORD smtp.password passphrase passCode wifiPassword newpassword
		password_confirmation passwordHash oldPassword password2 pw pass DB_PASS pin pinCode otp otpCode verificationCode verification_code
		smsCode accessCode recoveryCodes backup-codes cvv cvc securityCode 2fa 2faCode mfaCode unlockPin`,
	markAPIKey: `apiKey api_key api-key APIKey API_KEY apikey OPENAI_API_KEY openaiApiKey x-api-key apiKeys AWSSecretAccessKey secretKey secret_key
		accessKey encryptionKey signingKey masterKey licenseKey serviceAccountKey storageKey webhookKey encodingAESKey authKey appKey
		API_KEY_PROD apiKeyValue`,
	markToken: `token accessToken access_token ACCESS-TOKEN refreshToken authToken _authToken botToken bot_token idToken csrfToken sessionToken
		gatewayToken tokenValue github_token GITHUB_TOKEN npmToken verificationToken secret clientSecret client_secret appSecret webhookSecret
		corpSecret secrets credential credentials authorization Authorization proxy-authorization cookie Cookie set-cookie cookies bearer jwt
		authHeaderToken apiTokens basicAuth GH_PAT channels.telegram.botToken sharedSecret`,
	markPrivateKey: `privateKey private_key PRIVATE-KEY rsaPrivateKey privatekey seedPhrase recovery_phrase mnemonic`,
}

// Keys that do not, though they sound like it.
const otherKeys = `keepRecentTokens maxTokens max_tokens reserveTokens reserveTokensFloor contextTokens tokens totalTokens inputTokens outputTokens
	cacheReadTokens tokenizer tokenCount token_count tokenLimit tokenBudget tokensPerSecond maxToken promptToken nextPageToken pageToken
	continuationToken eosToken pad_token stopToken tokenType token_type tokenFile tokenPath tokenUrl tokenEndpoint tokenId tokenExpiresAt
	passwordFile password_file passwordPolicy passwordLength password_min_length passwordRequired passwordless passport passThrough bypass
	secretName secretRef secretary secretsFile secretProvider apiKeyEnv apiKeyRef apiKeyName apiKeyId accessKeyId publicKey public_key sessionKey
	sessionKeyPrefix idempotencyKey primaryKey foreignKey cacheKey sortKey hotkey keyboard keyCode key keys keyId keyName keywords monkey turkey
	authMode auth author authorizationUrl authProvider cookieName cookiePolicy cookieDomain pinned pinMessage spin pinnedAt codec code codes
	errorCode statusCode exitCode zipCode countryCode promoCode encoding model name user email url host port 1password onePasswordVault
	credentialsPath credentialProvider otpLength cvvRequired phrase phrases bearerFormat jwtAlgorithm compass tokenized detokenize mode`

func TestSecretKey(t *testing.T) {
	for kind, list := range secretKeys {
		for _, key := range strings.Fields(list) {
			got, _ := keyKind(key)
			if !SecretKey(key) || got != kind {
				t.Errorf("key %q names %q, want %q", key, got, kind)
			}
		}
	}
	for _, key := range append(strings.Fields(otherKeys), "", "-", "...", "密码框", "日本語", strings.Repeat("x", 1000)) {
		if got, _ := keyKind(key); SecretKey(key) {
			t.Errorf("key %q names %q, want none", key, got)
		}
	}
}

// A key names the same whatever the style it is written in.
func TestSecretKeyStyles(t *testing.T) {
	for _, parts := range [][]string{{"client", "secret"}, {"api", "key"}, {"max", "tokens"}, {"bot", "token"}, {"token", "count"}, {"db", "password"}, {"private", "key"}, {"session", "key"}} {
		camel, upper := parts[0], strings.ToUpper(strings.Join(parts, "_"))
		for _, p := range parts[1:] {
			camel += strings.ToUpper(p[:1]) + p[1:]
		}
		want := SecretKey(camel)
		for _, key := range []string{upper, strings.Join(parts, "-"), strings.Join(parts, "_"), strings.Join(parts, "."), strings.Join(parts, " "),
			strings.ToUpper(camel[:1]) + camel[1:], "my" + strings.ToUpper(camel[:1]) + camel[1:], "channels.x." + camel, "X-" + strings.Join(parts, "-")} {
			if SecretKey(key) != want {
				t.Errorf("SecretKey(%q) = %v, but %v for %q", key, !want, want, camel)
			}
		}
	}
}

func TestKeyParts(t *testing.T) {
	for key, want := range map[string]string{
		"apiKey": "api Key", "APIKey": "API Key", "APIKeys": "API Keys", "PINs": "PINs", "oauth2Token": "oauth 2 Token", "x-api_key.v2": "x api key v 2",
		"": "", "--": "", "a": "a", "ABC": "ABC", "aBC": "a BC", "a1b2": "a 1 b 2", "密码key": "key",
	} {
		list, n := parts(key)
		var got []string
		for _, p := range list[:n] {
			got = append(got, key[p.from:p.to])
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("parts(%q) = %q, want %q", key, s, want)
		}
	}
	long := strings.Repeat("ab_", 100) + "api_key"
	if !SecretKey(long) {
		t.Errorf("the last words of a long key decide")
	}
}

func TestMaskValue(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"apiKey", "anything", "[masked: API key]"},
		{"password", "two words", "[masked: password]"},
		{"token", opaque, "[masked: token]"},
		{"privateKey", "x", "[masked: private key]"},
		{"authorization", "Bearer " + opaque, "Bearer [masked: token]"},
		{"Authorization", opaque, "[masked: token]"},
		{"cookie", "a=b; c=d", "[masked: token]"},
		{"pin", digits4, "[masked: password]"},
		{"pin", "GPIO4", "GPIO4"},
		{"token", "4096", "4096"},
		{"apiKey", "${OPENAI_API_KEY}", "${OPENAI_API_KEY}"},
		{"apiKey", "", ""},
		{"apiKey", "[masked: API key]", "[masked: API key]"},
		{"apiKey", "REDACTED-API-KEY", "REDACTED-API-KEY"},
		{"password", "null", "null"},
		{"name", "Bob", "Bob"},
		{"maxTokens", "4096", "4096"},
		{"note", "the pin is " + digits4, "the pin is [masked: password]"},
		{"baseUrl", "https://u:" + simple + "@h/", "https://u:[masked: password]@h/"},
	} {
		if got := MaskValue(c.key, c.value); got != c.want {
			t.Errorf("MaskValue(%q, %q) = %q, want %q", c.key, c.value, got, c.want)
		}
		if again := MaskValue(c.key, c.want); again != c.want {
			t.Errorf("MaskValue(%q, %q) = %q: not idempotent", c.key, c.want, again)
		}
	}
}
