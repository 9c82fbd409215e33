"""The connection to the queue server: `REDIS_URL`, or the embedded server's socket, set by the supervisor."""

from __future__ import annotations

import os
import socket
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotarium.errors import InvalidInput, ServiceUnavailable
from annotarium.settings import get_settings
from annotarium.system.lanes import LANES

if TYPE_CHECKING:
    from redis import Redis

RUN_JOB = "annotarium.jobs.run.run_job"


@lru_cache(maxsize=1)
def get_redis() -> Redis | None:
    """The client of this process, None if no queue is configured. It connects at the first command.

    A dropped connection is replaced immediately; a server that is down is reported immediately.
    """
    return connect_to_queue_server(retries=1, pause=0.02, socket_timeout=10)


def connect_to_queue_server(*, retries: int, pause: float, socket_timeout: float | None = None) -> Redis | None:
    """A new client, None if no queue is configured.

    Args:
        retries: how many times to wait `pause` seconds for a server that is down.
        socket_timeout: timeout of a response in seconds; None for clients that wait for jobs.
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


def require_queue_server() -> None:
    """Check that the queue server responds.

    Raises:
        InvalidInput: REDIS_URL is not a valid address.
        ServiceUnavailable: no response at this address.
    """
    from redis.exceptions import RedisError

    try:
        client = connect_to_queue_server(retries=1, pause=0.5)
        if client is not None:
            client.ping()
            client.close()
    except ValueError as error:
        fix = "Write it as redis://host:6379/0, rediss://... or unix:///path"
        raise InvalidInput("REDIS_URL is not a valid queue server address", cause=str(error), fix=fix) from error
    except RedisError as error:
        fix = "Start the queue server, or correct REDIS_URL"
        raise ServiceUnavailable("The queue does not answer", cause=str(error), fix=fix) from error


def open_queue(name: str) -> Any:
    """The RQ queue of that name; None if no queue is configured."""
    connection = get_redis()
    if connection is None:
        return None
    from rq import Queue
    from rq.serializers import JSONSerializer

    return Queue(name, connection=connection, serializer=JSONSerializer)


def push_job(job_id: str, queue_name: str) -> bool:
    """Put a job into its queue unless it is already there; False if no queue is configured.

    Raises:
        redis.exceptions.RedisError: the queue server does not respond.
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


def remove_job_from_queue(job_id: str) -> None:
    """Remove a job from its queue, with all data about its runs. This includes incomplete data left by a worker that
    was killed between taking and starting the job, on which RQ's own `Job.delete` fails.

    Raises:
        redis.exceptions.RedisError: the queue server does not respond.
    """
    connection = get_redis()
    if connection is None:
        return
    registry = f"rq:executions:{job_id}"
    runs: Any = connection.zrange(registry, 0, -1)
    with connection.pipeline() as pipeline:
        for name in LANES:
            pipeline.lrem(f"rq:queue:{name}", 0, job_id)
            for run in runs:
                pipeline.zrem(f"rq:wip:{name}", run)
        pipeline.delete(*(f"rq:execution:{run.decode()}" for run in runs), registry, f"rq:job:{job_id}")
        pipeline.execute()


_EXCHANGE = """
if redis.call("LREM", KEYS[1], 1, ARGV[1]) == 0 then return 0 end
redis.call("LPUSH", KEYS[1], ARGV[2])
return 1
"""


def exchange_queued_job(connection: Redis, queue_name: str, wanted: str, taken: str) -> bool:
    """Atomically take one job out of a queue and put another one back; False if the first is not there.

    Raises:
        redis.exceptions.RedisError: the queue server does not respond.
    """
    return bool(connection.eval(_EXCHANGE, 1, f"rq:queue:{queue_name}", wanted, taken))


def list_queued() -> set[str]:
    """Ids of all queued jobs. Raises `redis.exceptions.RedisError`."""
    found: set[str] = set()
    for name in LANES:
        queue = open_queue(name)
        if queue is not None:
            found.update(queue.job_ids)
    return found


def is_taken_by_live_worker(job_id: str) -> bool:
    """Whether a worker that is not known to be dead has taken the job from the queue.

    Raises:
        redis.exceptions.RedisError: the queue server does not respond.
    """
    connection = get_redis()
    if connection is None:
        return False
    name: Any = connection.hget(f"rq:job:{job_id}", "worker_name")
    if not name:
        return False
    facts: Any = connection.hmget(f"rq:worker:{name.decode()}", "current_job", "hostname", "pid")
    current, host, pid = (None if fact is None else fact.decode() for fact in facts)
    return current == job_id and not _has_process_exited(host, pid)


def _has_process_exited(host: str | None, pid: str | None) -> bool:
    """Whether it is a process of this machine that is known to have ended."""
    if host != socket.gethostname() or pid is None or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] if sys.platform == "linux" else ""
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return state in ("Z", "X")  # zombie or dead
