//! Queues of work: lists of numbered items, done on threads of this process or
//! elsewhere.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    ops::ControlFlow,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// A list of numbered items of work. The result of an item follows from the
/// list and its number, so that it does not matter where, when and how often it
/// is done.
pub trait Work: Sync {
    type Output: Send;
    /// What a thread reuses from item to item.
    type Tools;

    fn tools(&self) -> Self::Tools;

    /// Does one item; `None` if it was stopped before its end.
    fn do_item(
        &self,
        item: u64,
        tools: &mut Self::Tools,
        stopped: &dyn Fn() -> bool,
    ) -> Option<Self::Output>;
}

/// Progress of a list.
#[derive(Debug)]
pub enum WorkEvent<T> {
    Started(u64),
    Finished(u64, T),
}

/// Does the items of a list, in any order.
pub trait WorkQueue<W: Work> {
    type Error;

    /// Does `items` and passes each result to `take` once, on the caller's
    /// thread, until `take` breaks or `stopped` says so.
    fn run(
        &self,
        work: &W,
        items: &mut (dyn Iterator<Item = u64> + Send),
        stopped: &(dyn Fn() -> bool + Sync),
        take: &mut dyn FnMut(WorkEvent<W::Output>) -> ControlFlow<()>,
    ) -> Result<(), Self::Error>;
}

/// The queue of this process: so many threads.
#[derive(Clone, Copy, Debug)]
pub struct Threads(pub usize);

/// Results that may wait to be taken; beyond that the threads block.
const AHEAD: usize = 64;

impl<W: Work> WorkQueue<W> for Threads {
    type Error = Infallible;

    fn run(
        &self,
        work: &W,
        items: &mut (dyn Iterator<Item = u64> + Send),
        stopped: &(dyn Fn() -> bool + Sync),
        take: &mut dyn FnMut(WorkEvent<W::Output>) -> ControlFlow<()>,
    ) -> Result<(), Infallible> {
        let items = Mutex::new(items);
        let halt = AtomicBool::new(false);
        let stopped = || halt.load(Ordering::Relaxed) || stopped();
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(AHEAD);
            for _ in 0..self.0.max(1) {
                let (items, stopped, sender) = (&items, &stopped, sender.clone());
                scope.spawn(move || {
                    let mut tools = work.tools();
                    let next = || items.lock().expect("an iterator does not panic").next();
                    while let (false, Some(item)) = (stopped(), next()) {
                        if sender.send(WorkEvent::Started(item)).is_err() {
                            return;
                        }
                        let Some(output) = work.do_item(item, &mut tools, stopped) else {
                            return;
                        };
                        if sender.send(WorkEvent::Finished(item, output)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for event in receiver {
                if take(event).is_break() {
                    break;
                }
            }
            halt.store(true, Ordering::Relaxed);
        });
        Ok(())
    }
}

/// Puts results back into the order of their items.
#[derive(Debug)]
pub struct InOrder<T> {
    next: u64,
    waiting: BTreeMap<u64, T>,
}

impl<T> InOrder<T> {
    /// Waits for this item first, then for those after it.
    pub fn from(first: u64) -> InOrder<T> {
        InOrder {
            next: first,
            waiting: BTreeMap::new(),
        }
    }

    /// Adds a result and returns those whose turn it is.
    pub fn add(&mut self, item: u64, output: T) -> Vec<(u64, T)> {
        self.waiting.insert(item, output);
        let mut ready = Vec::new();
        while let Some(output) = self.waiting.remove(&self.next) {
            ready.push((self.next, output));
            self.next += 1;
        }
        ready
    }
}

/// Description of a list for other processes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Task {
    /// Which kind of work it is.
    pub kind: String,
    /// The list, as its kind writes it.
    pub text: String,
}

/// Work that other processes can do: list and results have a text form.
pub trait RemoteWork: Work {
    fn task(&self) -> Task;

    /// Items that stay together where possible.
    fn group(&self) -> u64 {
        1
    }

    fn encode(&self, output: &Self::Output) -> String;

    /// Parses and checks a result from elsewhere; the error says what is wrong.
    fn decode(&self, tools: &Self::Tools, item: u64, text: &str) -> Result<Self::Output, String>;

    /// Whether doing an item again gives the same result, so that a sample can
    /// be compared. Limits in time do not.
    fn repeats(&self) -> bool;

    /// Whether two results of an item are the same, but for measured times.
    fn same(&self, one: &Self::Output, other: &Self::Output) -> bool;
}

/// Work whose list and results are JSON.
pub trait JsonWork: Work<Output: Serialize + DeserializeOwned> {
    /// Which kind of work it is.
    const KIND: &'static str;
    /// The list follows from them.
    type Options: Serialize;

    fn options(&self) -> &Self::Options;

    /// As [`RemoteWork::repeats`].
    fn repeats(&self) -> bool;

    /// What is wrong with a result from elsewhere.
    fn check(&self, _item: u64, _output: &Self::Output) -> Result<(), String> {
        Ok(())
    }

    /// As [`RemoteWork::same`].
    fn same(&self, one: &Self::Output, other: &Self::Output) -> bool;
}

impl<W: JsonWork> RemoteWork for W {
    fn task(&self) -> Task {
        Task {
            kind: W::KIND.to_owned(),
            text: serde_json::to_string(self.options()).expect("options are always JSON"),
        }
    }

    fn encode(&self, output: &W::Output) -> String {
        serde_json::to_string(output).expect("a result is always JSON")
    }

    fn decode(&self, _: &W::Tools, item: u64, text: &str) -> Result<W::Output, String> {
        let output = serde_json::from_str(text).map_err(|e| e.to_string())?;
        JsonWork::check(self, item, &output).map(|()| output)
    }

    fn repeats(&self) -> bool {
        JsonWork::repeats(self)
    }

    fn same(&self, one: &W::Output, other: &W::Output) -> bool {
        JsonWork::same(self, one, other)
    }
}

/// Does an item of a list and returns the text of its result; `None` if it was
/// stopped.
pub type DoItem<'a> = dyn FnMut(u64, &dyn Fn() -> bool) -> Option<String> + 'a;

/// A list of whatever kind, to be done for another process.
pub trait RemoteJob: Send + Sync {
    /// For one thread.
    fn hand(&self) -> Box<DoItem<'_>>;
}

impl<W: RemoteWork + Send> RemoteJob for W {
    fn hand(&self) -> Box<DoItem<'_>> {
        let mut tools = self.tools();
        Box::new(move |item, stopped| {
            let output = self.do_item(item, &mut tools, stopped)?;
            Some(self.encode(&output))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Squares;

    impl Work for Squares {
        type Output = u64;
        type Tools = ();

        fn tools(&self) {}

        fn do_item(&self, item: u64, (): &mut (), _: &dyn Fn() -> bool) -> Option<u64> {
            Some(item * item)
        }
    }

    fn squares(items: std::ops::Range<u64>, enough: usize) -> BTreeMap<u64, u64> {
        let mut taken = BTreeMap::new();
        let mut take = |event| {
            if let WorkEvent::Finished(item, square) = event {
                assert_eq!(taken.insert(item, square), None, "{item} came twice");
            }
            match taken.len() < enough {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        let Ok(()) = Threads(3).run(&Squares, &mut items.clone(), &|| false, &mut take);
        taken
    }

    #[test]
    fn every_item_is_done_once_until_it_is_enough() {
        let all = squares(0..1000, usize::MAX);
        assert!(all.into_iter().eq((0..1000).map(|i| (i, i * i))));
        assert_eq!(squares(0..1_000_000, 10).len(), 10);
    }

    #[test]
    fn results_are_put_back_into_order() {
        let mut order = InOrder::from(3);
        assert_eq!(order.add(5, 'c'), []);
        assert_eq!(order.add(3, 'a'), [(3, 'a')]);
        assert_eq!(order.add(4, 'b'), [(4, 'b'), (5, 'c')]);
    }
}
