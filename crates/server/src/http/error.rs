//! Errors of requests with their HTTP status.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Serialize;

use crate::{
    domain::InputError,
    game::{ClosedError, GameError, Refusal},
    store::StoreError,
    tournament::TournamentError,
    workers::{AgentError, JobError, MemoryFull},
};

/// A failed request. The text depends on the request and on public information
/// only.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    text: String,
}

impl ApiError {
    pub fn input(text: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, text)
    }

    pub fn missing(what: &str) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, format!("no such {what}"))
    }

    /// Whether what was asked for is not there.
    pub(crate) fn is_missing(&self) -> bool {
        self.status == StatusCode::NOT_FOUND
    }

    /// The resource belongs to another user or is not available yet.
    pub fn forbidden(text: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, text)
    }

    pub(crate) fn conflict(text: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, text)
    }

    pub(crate) fn unknown_token() -> ApiError {
        let text = "expected 'Authorization: Bearer TOKEN' with a token of POST /api/token";
        ApiError::new(StatusCode::UNAUTHORIZED, text)
    }

    pub fn new(status: StatusCode, text: impl Into<String>) -> ApiError {
        let text = text.into();
        ApiError { status, text }
    }
}

/// Body of an error response.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Refused {
    error: String,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(Refused { error: self.text })).into_response()
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        // Internal details are not sent to clients.
        if let StoreError::Unreadable(what, _) = error {
            let text = format!("{what} cannot be read");
            return ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, text);
        }
        ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "the server cannot use its storage now; nothing was changed",
        )
    }
}

impl From<GameError> for ApiError {
    fn from(error: GameError) -> ApiError {
        match error {
            GameError::Store(error) => error.into(),
            GameError::Terms(error) => ApiError::input(error.to_string()),
            GameError::Full => ApiError::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
            GameError::Memory(error) => error.into(),
            GameError::Busy(error) => error.into(),
            GameError::Shows => ApiError::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
            GameError::Rated => ApiError::conflict(error.to_string()),
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        let status = match refusal {
            Refusal::Busy(error) => return error.into(),
            Refusal::Watcher => StatusCode::FORBIDDEN,
            Refusal::Taken => StatusCode::CONFLICT,
            Refusal::Unsaved | Refusal::Closing | Refusal::Memory(_) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            _ => StatusCode::BAD_REQUEST,
        };
        ApiError::new(status, refusal.to_string())
    }
}

impl From<InputError> for ApiError {
    fn from(error: InputError) -> ApiError {
        ApiError::input(error.to_string())
    }
}

impl From<ClosedError> for ApiError {
    fn from(error: ClosedError) -> ApiError {
        let status = match error {
            ClosedError::Running => StatusCode::FORBIDDEN,
            ClosedError::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        };
        ApiError::new(status, error.to_string())
    }
}

impl From<TournamentError> for ApiError {
    fn from(error: TournamentError) -> ApiError {
        match error {
            TournamentError::Input(error) => error.into(),
            TournamentError::Agent(error) => error.into(),
            TournamentError::Store(error) => error.into(),
            TournamentError::Full => ApiError::conflict(error.to_string()),
            TournamentError::Broken => ApiError::missing("tournament"),
        }
    }
}

impl From<AgentError> for ApiError {
    fn from(error: AgentError) -> ApiError {
        ApiError::input(error.to_string())
    }
}

impl From<JobError> for ApiError {
    fn from(error: JobError) -> ApiError {
        let status = match error {
            JobError::Yours => StatusCode::TOO_MANY_REQUESTS,
            JobError::Full => StatusCode::SERVICE_UNAVAILABLE,
            JobError::Panicked => StatusCode::INTERNAL_SERVER_ERROR,
        };
        ApiError::new(status, error.to_string())
    }
}

impl From<MemoryFull> for ApiError {
    fn from(error: MemoryFull) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
    }
}
