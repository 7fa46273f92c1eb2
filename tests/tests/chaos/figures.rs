//! What a run did and found.

/// What a run did and found.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    pub(crate) seconds: u64,
    /// Sagas that came to their end, as their clients saw it.
    pub(crate) done: u64,
    pub(crate) requests: u64,
    /// Requests whose reply did not come, or was not read.
    pub(crate) unanswered: u64,
    /// Requests that were repeated although their reply had come.
    pub(crate) repeated: u64,
    /// Repeated requests that got a token of their own.
    pub(crate) other_tokens: u64,
    /// Replies that could not be kept, as the instances say.
    pub(crate) unkept: u64,
    /// Old tokens that were sent with other answers.
    pub(crate) forks: u64,
    /// Instances that were killed in the middle of a saga, at a place that the saga chose.
    pub(crate) deaths: u64,
    /// Instances that were killed at any moment.
    pub(crate) kills: u64,
    /// Instances that were told to stop, and started again.
    pub(crate) restarts: u64,
    pub(crate) redis_restarts: u64,
    /// Steps of rotations of the keys; three are a rotation.
    pub(crate) rotation_steps: u64,
    pub(crate) effects: u64,
    /// Lines of the journal that repeat an effect with its key.
    pub(crate) run_again: u64,
    pub(crate) lost: u64,
    pub(crate) doubled: u64,
    /// Everything that should not be.
    pub(crate) found: Vec<String>,
}

impl Figures {
    pub(crate) fn find(&mut self, what: String) {
        self.found.push(what);
    }

    /// Both together.
    pub(crate) fn and(self, other: Self) -> Self {
        let mut found = self.found;
        found.extend(other.found);
        Self {
            seconds: self.seconds + other.seconds,
            done: self.done + other.done,
            requests: self.requests + other.requests,
            unanswered: self.unanswered + other.unanswered,
            repeated: self.repeated + other.repeated,
            other_tokens: self.other_tokens + other.other_tokens,
            unkept: self.unkept + other.unkept,
            forks: self.forks + other.forks,
            deaths: self.deaths + other.deaths,
            kills: self.kills + other.kills,
            restarts: self.restarts + other.restarts,
            redis_restarts: self.redis_restarts + other.redis_restarts,
            rotation_steps: self.rotation_steps + other.rotation_steps,
            effects: self.effects + other.effects,
            run_again: self.run_again + other.run_again,
            lost: self.lost + other.lost,
            doubled: self.doubled + other.doubled,
            found,
        }
    }

    /// What only the whole run shows.
    pub(crate) fn check(&mut self) {
        if self.other_tokens > self.unkept {
            let (tokens, unkept) = (self.other_tokens, self.unkept);
            self.find(format!(
                "{tokens} repeated requests got other tokens, and {unkept} replies were not kept"
            ));
        }
    }

    /// Prints it; whether all is well.
    pub(crate) fn report(&self, instances: usize, sagas: u32) -> bool {
        println!(
            "{instances} instances, {sagas} sagas, {} done, in {} s: {} requests, {} unanswered, {} repeated, {} of \
             them run again since their reply was not kept, {} forks tried; killed in a saga {}, at any moment {}, \
             restarted {}, Redis killed {}, {} steps of key rotations; {} effects, {} sent again with their key, \
             {} lost, {} doubled",
            self.done,
            self.seconds,
            self.requests,
            self.unanswered,
            self.repeated,
            self.other_tokens,
            self.forks,
            self.deaths,
            self.kills,
            self.restarts,
            self.redis_restarts,
            self.rotation_steps,
            self.effects,
            self.run_again,
            self.lost,
            self.doubled,
        );
        for found in self.found.iter().take(20) {
            println!("  {found}");
        }
        let is_good = self.found.is_empty() && self.done == u64::from(sagas);
        if !is_good {
            println!("  {} findings", self.found.len());
        }
        is_good
    }
}
