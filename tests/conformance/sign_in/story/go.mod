module guildhall/story

go 1.26.0
