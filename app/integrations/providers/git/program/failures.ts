import { ProviderError, type ProviderErrorCode } from '#plugin-kit/provider_error'

/** A run of git that ended otherwise than expected, before it is known whose fault it is. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure'

  constructor(
    readonly command: string,
    readonly exitCode: number | null,
    readonly stderr: string
  ) {
    super(`git ${command} ended with ${exitCode}: ${lastWords(stderr)}`)
  }
}

export type Outcome = 'notApplied' | 'unknown'

/**
 * Error messages of git, ssh and servers, in the order in which they are searched: git 2.38 to
 * 2.51, locale C.
 */
const SAYINGS: readonly (readonly [ProviderErrorCode, string, RegExp])[] = [
  ['preconditionFailed', 'host_key', /Host key verification failed|No \w+ host key is known/],
  [
    'unauthorized',
    'credentials',
    /Authentication failed|could not read (Username|Password)|Permission denied \((?!pre-)|terminal prompts disabled|error: 401|Access denied\. .*credentials/i,
  ],
  ['rateLimited', 'too_many', /error: 429|too many requests/i],
  ['forbidden', 'owner', /detected dubious ownership/],
  [
    'forbidden',
    'refused',
    /error: 403|access denied|permission denied|insufficient permission|read[- ]only|not allowed|protected branch|hook declined|write access/i,
  ],
  [
    'notFound',
    'repository',
    /repository .*not found|does not appear to be a git repository|error: 404|project you were looking for could not be found/i,
  ],
  ['unavailable', 'certificate', /SSL certificate|certificate verif/i],
  [
    'unavailable',
    'connection',
    /could not resolve host|connection (refused|reset|timed out|closed)|network is unreachable|no route to host|hung up|early EOF|RPC failed|error: 5\d\d|could not connect|failed to connect|operation timed out|unexpected disconnect|could not read from remote repository/i,
  ],
]

/** Errors about the local repository rather than the remote one. */
const BROKEN =
  /^(?!remote: ).*(\.lock': File exists|object file .* is empty|loose object|packfile|bad object|corrupt|bad config|not a git repository: |inflate:|unable to read|mismatched algorithms|bad ref for)/m

/**
 * Returns a failure of the remote as an error of the provider; null if the output is not
 * recognized, so that the mirror may as well be broken.
 */
export function remoteError(failure: GitFailure, outcome: Outcome): ProviderError | null {
  if (BROKEN.test(failure.stderr)) return null
  const found = SAYINGS.find(([, , saying]) => saying.test(failure.stderr))
  if (!found) return null
  const [code, reason] = found
  return new ProviderError(code, `git ${failure.command}: ${lastWords(failure.stderr)}`, {
    outcome,
    reason,
  })
}

/** Returns the same for a failure of unknown origin. */
export function protocolError(failure: GitFailure, outcome: Outcome): ProviderError {
  return new ProviderError('protocol', failure.message, { outcome })
}

/** Returns the error of a refusal by the service itself, before any request is sent. */
export function refused(code: ProviderErrorCode, message: string, reason?: string): ProviderError {
  return new ProviderError(code, message, { outcome: 'notApplied', reason })
}

const MAX_LENGTH = 300

/** Returns the most informative line, made safe for display: the text of a remote is untrusted. */
function lastWords(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.replace(/[\p{Cc}\p{Cf}]/gu, ' ').trim())
    .filter((line) => line !== '')
  const cause =
    lines.find((line) => /^(remote: )?(error|fatal):|denied|rejected/i.test(line)) ?? lines.at(-1)
  return (cause ?? 'it said nothing').slice(0, MAX_LENGTH)
}
