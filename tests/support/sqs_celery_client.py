"""Celery and kombu on SQS in the Python of the emulators: sqs_celery_client.py ENDPOINT. Prints its results.

The address of the broker is all that differs from a worker on AWS.
"""

import json
import sys
import threading
from typing import Any

import kombu
from celery import Celery
from celery.contrib.testing.worker import start_worker

TASKS = 30


def main(endpoint: str) -> dict[str, Any]:
    host = endpoint.removeprefix("http://")
    broker = f"sqs://test:test@{host}//"
    options = {"region": "us-east-1", "is_secure": False, "wait_time_seconds": 1, "polling_interval": 0.1}
    return {"celery": by_celery(broker, options), "kombu": by_kombu(broker, options)}


def by_celery(broker: str, options: dict[str, Any]) -> list[int]:
    app = Celery("shop", broker=broker, broker_transport_options=options)
    app.conf.update(
        task_default_queue="celery-tasks", worker_enable_remote_control=False, worker_send_task_events=False
    )
    done: list[int] = []
    finished = threading.Event()

    def pack(number: int) -> None:
        done.append(number)
        if len(done) == TASKS:
            finished.set()

    task = app.task(name="shop.pack")(pack)

    with start_worker(app, pool="threads", concurrency=4, perform_ping_check=False, shutdown_timeout=60):
        for number in range(TASKS):
            task.delay(number)
        assert finished.wait(120), done
    return sorted(done)


def by_kombu(broker: str, options: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    with kombu.Connection(broker, transport_options=options) as connection:
        queue = connection.SimpleQueue("kombu-simple")
        for number in range(3):
            queue.put({"number": number, "word": "ção"})
        for _ in range(3):
            message = queue.get(timeout=60)
            found.append(message.payload)
            message.ack()
        queue.close()
    return sorted(found, key=lambda one: one["number"])


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
