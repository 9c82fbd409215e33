"""The connection to the queue: `REDIS_URL`, or the embedded server's socket, which the supervisor names."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from annotarium.errors import InvalidInput, ServiceUnavailable
from annotarium.settings import get_settings

if TYPE_CHECKING:
    from redis import Redis

QUEUES = ("interactive", "default", "long", "heavy")
RUN_JOB = "annotarium.jobs.run.run_job"


@lru_cache(maxsize=1)
def get_redis() -> Redis | None:
    """The client of this process, None where no queue is configured. It connects at the first command.

    A connection that the server dropped is replaced at once; a server that is down is reported at once.
    """
    return connect(retries=1, pause=0.02, socket_timeout=10)


def connect(*, retries: int, pause: float, socket_timeout: float | None = None) -> Redis | None:
    """A new client, None where no queue is configured.

    Args:
        retries: how many times it waits `pause` seconds for a server that is down.
        socket_timeout: seconds an answer may take; None where commands wait for jobs.
    """
    url = get_settings().redis_url
    if not url:
        return None
    from redis import Redis
    from redis.backoff import ConstantBackoff
    from redis.retry import Retry

    backoff = Retry(ConstantBackoff(pause), retries)
    return Redis.from_url(
        url, socket_connect_timeout=3, socket_timeout=socket_timeout, retry=backoff, health_check_interval=30
    )


def require_queue() -> None:
    """Look whether the queue answers, before anything is built on it.

    Raises:
        InvalidInput: the address is none.
        ServiceUnavailable: nothing answers there.
    """
    from redis.exceptions import RedisError

    try:
        client = connect(retries=1, pause=0.5)
        if client is not None:
            client.ping()
            client.close()
    except ValueError as error:
        fix = "Write it as redis://host:6379/0, rediss://... or unix:///path"
        raise InvalidInput("REDIS_URL is no address of a queue", cause=str(error), fix=fix) from error
    except RedisError as error:
        fix = "Start the queue server, or correct REDIS_URL"
        raise ServiceUnavailable("The queue does not answer", cause=str(error), fix=fix) from error


def open_queue(name: str) -> Any:
    """The RQ queue of that name; None where no queue is configured."""
    connection = get_redis()
    if connection is None:
        return None
    from rq import Queue
    from rq.serializers import JSONSerializer

    return Queue(name, connection=connection, serializer=JSONSerializer)


def push(job_id: str, queue_name: str) -> bool:
    """Put a job into its queue unless it is there; False where no queue is configured.

    Raises:
        redis.exceptions.RedisError: the queue does not answer.
    """
    queue = open_queue(queue_name)
    if queue is None:
        return False
    from rq.exceptions import DuplicateJobError

    try:
        queue.enqueue_call(
            RUN_JOB,
            args=(job_id,),
            job_id=job_id,
            timeout=get_settings().job_timeout,
            result_ttl=0,
            failure_ttl=0,
            description=f"job {job_id}",
            unique=True,
        )
    except DuplicateJobError:
        return True
    return True


def forget(job_id: str) -> None:
    """Take a job out of its queue. Raises `redis.exceptions.RedisError` when the queue does not answer."""
    connection = get_redis()
    if connection is None:
        return
    from rq.exceptions import NoSuchJobError
    from rq.job import Job
    from rq.serializers import JSONSerializer

    try:
        Job.fetch(job_id, connection=connection, serializer=JSONSerializer).delete()
    except NoSuchJobError:
        return


def list_queued() -> set[str]:
    """Ids of the jobs that stand in a queue. Raises `redis.exceptions.RedisError`."""
    found: set[str] = set()
    for name in QUEUES:
        queue = open_queue(name)
        if queue is not None:
            found.update(queue.job_ids)
    return found


def holds_run(job_id: str) -> bool:
    """Whether a living worker has taken the job from the queue. Raises `redis.exceptions.RedisError`."""
    connection = get_redis()
    if connection is None:
        return False
    name: Any = connection.hget(f"rq:job:{job_id}", "worker_name")
    if not name:
        return False
    current: Any = connection.hget(f"rq:worker:{name.decode()}", "current_job")
    return bool(current and current.decode() == job_id)
