module guildhall/sign-in/dex

go 1.26.0

require (
	github.com/sirupsen/logrus v1.10.2
	guildhall/story v0.0.0
)

require (
	github.com/dexidp/dex v2.13.0+incompatible
	golang.org/x/oauth2 v0.38.0 // indirect
	golang.org/x/sys v0.13.0 // indirect
)

replace guildhall/story => ../story
