# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the Python module share. HETEROSCAPE_CLI names the command line that answers are held against."""

import json
import os
import subprocess
import warnings

import heteroscape

# Warnings are heard where a test listens for them.
warnings.simplefilter("ignore", heteroscape.Note)

CLI = os.environ["HETEROSCAPE_CLI"]


def cli(*arguments):
    """What the command line prints. Raises where it fails."""
    return subprocess.run([CLI, *arguments], check=True, capture_output=True, text=True).stdout


def cli_json(*arguments):
    return json.loads(cli(*arguments, "--json"))


def refused(*arguments):
    """What the command line says where it refuses."""
    done = subprocess.run([CLI, *arguments], capture_output=True, text=True)
    assert done.returncode == 1, done
    return done.stderr.strip().removeprefix("heteroscape-cli: ")


def text_of(document):
    """Equal for equal documents, to the last bit of every number."""
    return json.dumps(document, sort_keys=True, allow_nan=False)
