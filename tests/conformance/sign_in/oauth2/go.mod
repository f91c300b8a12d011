module guildhall/sign-in/oauth2

go 1.26.0

require (
	golang.org/x/oauth2 v0.38.0
	guildhall/story v0.0.0
)

replace guildhall/story => ../story
