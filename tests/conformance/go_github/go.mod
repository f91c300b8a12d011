module guildhall/go-github-story

go 1.26.0

require (
	github.com/google/go-github/v32 v32.1.0
	github.com/google/go-github/v92 v92.0.0
)

require (
	github.com/google/go-querystring v1.2.0 // indirect
	golang.org/x/crypto v0.0.0-20190308221718-c2843e01d9a2 // indirect
)
