//! A page of a list, with the numbers of the pages around it.

use crate::operation::Page;

/// A page of a list.
pub(super) struct Listed<T> {
    pub items: Vec<T>,
    /// The number of items on all pages.
    pub total: u64,
    pub page: Page,
}

impl<T> Listed<T> {
    /// A page of a list that is known whole; the last one, if the page is behind it.
    pub fn part(all: Vec<T>, page: Page) -> Self {
        let total = all.len() as u64;
        let number = page.number.min(total.div_ceil(page.per_page).max(1));
        let page = Page { number, ..page };
        let [skipped, most] = [page.offset(), page.per_page].map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        Self { items: all.into_iter().skip(skipped).take(most).collect(), total, page }
    }

    /// The number of the page before, if there is one.
    pub fn before(&self) -> Option<u64> {
        (self.page.number > 1).then(|| self.page.number - 1)
    }

    /// The number of the page after, if there is one.
    pub fn after(&self) -> Option<u64> {
        (self.page.offset().saturating_add(self.page.per_page) < self.total).then(|| self.page.number + 1)
    }

    /// The numbers of the first and the last item of the page.
    pub fn range(&self) -> (u64, u64) {
        let offset = self.page.offset();
        (offset.saturating_add(1), offset.saturating_add(self.items.len() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::Listed;
    use crate::operation::Page;

    #[test]
    fn a_whole_list_has_pages() {
        let part = |number| Listed::part((0..5).collect(), Page { number, per_page: 2 });
        for (number, items, range, after) in [(1, vec![0, 1], (1, 2), Some(2)), (3, vec![4], (5, 5), None)] {
            let page = part(number);
            assert_eq!((&page.items, page.range(), page.after(), page.total), (&items, range, after, 5));
        }
        assert_eq!(part(u64::MAX).items, [4], "the last page, if it is behind it");
        let none = Listed::<i64>::part(Vec::new(), Page { number: 7, per_page: 2 });
        assert_eq!((none.page.number, none.before(), none.after()), (1, None, None));
    }
}
