module guildhall/legitify

go 1.26.0

require (
	github.com/google/go-github/v53 v53.2.0
	github.com/shurcooL/githubv4 v0.0.0-20240727222349-48295856cce7
	golang.org/x/oauth2 v0.30.0
	guildhall/story v0.0.0
)

require (
	github.com/ProtonMail/go-crypto v0.0.0-20230217124315-7d5c6f04bbb8 // indirect
	github.com/cloudflare/circl v1.3.3 // indirect
	github.com/google/go-querystring v1.1.0 // indirect
	github.com/shurcooL/graphql v0.0.0-20240915155400-7ee5256398cf // indirect
	golang.org/x/crypto v0.7.0 // indirect
	golang.org/x/sys v0.8.0 // indirect
)

replace guildhall/story => ../sign_in/story
