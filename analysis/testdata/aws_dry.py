"""Parses AWS CLI commands, a JSON list on stdin, with the CLI's own code, and calls nothing.

Each is split as a shell does, parsed, and validated against the service's model. Prints a
JSON list: for each command what is wrong with it, or null.
"""

import contextlib
import io
import json
import os
import shlex
import sys

os.environ.update(AWS_ACCESS_KEY_ID="x", AWS_SECRET_ACCESS_KEY="x", AWS_CONFIG_FILE=os.devnull,
                  AWS_SHARED_CREDENTIALS_FILE=os.devnull, AWS_EC2_METADATA_DISABLED="true",
                  AWS_DEFAULT_REGION="eu-west-1")

import botocore.client  # noqa: E402
from awscli.clidriver import create_clidriver  # noqa: E402
from botocore.validate import ParamValidator  # noqa: E402

calls = []


def call(self, operation, parameters):
    shape = self.meta.service_model.operation_model(operation).input_shape
    if shape is not None:
        found = ParamValidator().validate(parameters, shape)
        if found.has_errors():
            raise ValueError(found.generate_report())
    calls.append(operation)
    return {}


botocore.client.BaseClient._make_api_call = call
driver = create_clidriver()
results = []
for command in json.load(sys.stdin):
    calls.clear()
    errors = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
        try:
            status = driver.main(shlex.split(command)[1:])
        except SystemExit as e:
            status = e.code
    said = errors.getvalue().strip().splitlines()
    results.append(None if calls and not status else said[-1] if said else f"status {status}, nothing called")
print(json.dumps(results))
