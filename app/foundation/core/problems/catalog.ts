/** A problem code's status, title, and the text of its page under `/problems/<code>`. */
type ProblemDeclaration = readonly [status: number, title: string, help: string]

export type ProblemDeclarations = Readonly<Record<string, ProblemDeclaration>>

/**
 * The codes that every module may answer. Codes are stable, because clients branch on them. The
 * codes of a single module are in its `problems.ts`.
 */
const foundation = {
  // The request could not be read.
  malformed_json: [400, 'The body is not JSON', 'The body must be one JSON document in UTF-8.'],
  malformed_multipart: [400, 'The multipart body is malformed', 'See the operation for its parts.'],
  malformed_request: [400, 'The request is malformed', 'A header, path or encoding is broken.'],
  request_timeout: [408, 'The request came too slowly', 'Send the whole head within a minute.'],
  expectation_failed: [417, 'The expectation is not met', 'Leave out Expect, or 100-continue.'],
  headers_too_large: [
    431,
    'The headers are too large',
    'The request line and headers may take 16 KiB together.',
  ],
  invalid_query: [400, 'A query parameter is invalid', 'Each broken parameter is listed.'],
  invalid_cursor: [400, 'The cursor is invalid', 'Use nextCursor of the same list and filters.'],
  digest_mismatch: [400, 'The digest does not match', 'The bytes received are not those sent.'],
  https_required: [403, 'HTTPS is required', 'This service answers only over HTTPS.'],

  // Authentication and permission.
  key_missing: [401, 'An API key is required', 'Send it in the header X-API-Key.'],
  key_invalid: [401, 'The API key is not valid', 'It is malformed or unknown.'],
  key_revoked: [401, 'The API key was revoked', 'Ask an admin for a new one.'],
  key_expired: [401, 'The API key has expired', 'Ask an admin to rotate it.'],
  action_missing: [403, 'The key lacks a user action', 'The detail names the missing action.'],
  admin_required: [403, 'An admin key is required', 'Only keys with the admin flag may do this.'],

  // Addressing.
  not_found: [404, 'Not found', 'There is nothing here that this key can see.'],
  method_not_allowed: [405, 'Method not allowed', 'The header Allow lists the methods.'],
  not_acceptable: [
    406,
    'Not acceptable',
    'The operation cannot respond in any of the accepted types.',
  ],
  too_large: [413, 'The body is too large', 'The detail names the limit.'],
  range_not_satisfiable: [416, 'The file has no such part', 'Content-Range states its size.'],
  unsupported_media_type: [415, 'Unsupported content type', 'The detail names those accepted.'],

  // The current state does not allow this.
  conflict: [409, 'The current state does not allow this', 'See currentStatus and allowedActions.'],
  name_taken: [409, 'The name is taken', 'Names are unique without regard to case.'],
  request_running: [409, 'The same request is still running', 'Try again after Retry-After.'],
  precondition_failed: [
    412,
    'The entity has changed in the meantime',
    'Read it again, then repeat.',
  ],
  precondition_required: [428, 'If-Match is required', 'The detail names who requires it.'],

  upload_gone: [410, 'The upload has expired', 'Start again: what had arrived is gone.'],
  protocol_version: [412, 'This version of tus is not supported', 'Send Tus-Resumable: 1.0.0.'],

  // A rule is violated.
  too_complex: [422, 'The body is too complex', 'It has at most 50,000 members, 32 levels deep.'],
  invalid_input: [422, 'The input breaks a rule', 'Each broken field is listed.'],
  all_items_failed: [422, 'Every item failed', 'Each item carries its error.'],
  idempotency_mismatch: [422, 'The key was used for another request', 'Use a new key.'],

  // Limits and errors.
  rate_limited: [429, 'Too many requests', 'Wait for Retry-After seconds.'],
  daily_limit_reached: [429, 'The daily quota is used up', 'It is reset at midnight UTC.'],
  too_many_uploads: [429, 'Too many unfinished uploads', 'Finish or cancel some of them.'],
  too_many_failures: [429, 'Too many failed keys or addresses', 'Wait for Retry-After seconds.'],
  internal_error: [500, 'Something went wrong here', 'Find it in the log by the request id.'],
  not_ready: [503, 'Not ready', 'Try again after Retry-After.'],
  not_stored: [503, 'It could not be stored', 'Nothing was changed; try again after Retry-After.'],
  file_unavailable: [
    503,
    'The file cannot be read now',
    'Its storage does not return it; with Retry-After, it may do so later.',
  ],
  outcome_unknown: [
    503,
    'It is not known whether this was done',
    'Read again, or repeat it with the same Idempotency-Key.',
  ],
} as const satisfies ProblemDeclarations

/** The codes of the modules, each under its module's name: a module adds its own. */
export interface ModuleProblems {
  foundation: typeof foundation
}

export type ProblemCode = {
  [Module in keyof ModuleProblems]: keyof ModuleProblems[Module] & string
}[keyof ModuleProblems]

const declared = new Map<string, ProblemDeclaration>(Object.entries(foundation))

/** Adds the codes of a module. @throws when one is declared twice. */
export function addProblems(problems: ProblemDeclarations): void {
  for (const [code, declaration] of Object.entries(problems)) {
    if (declared.has(code)) throw new Error(`The problem code ${code} is declared twice`)
    declared.set(code, declaration)
  }
}

/** Returns the declaration of a problem code. @throws Error for an undeclared code */
export function declarationOf(code: string): ProblemDeclaration {
  const found = declared.get(code)
  if (!found) throw new Error(`Nobody declared the problem code ${code}`)
  return found
}

/** Returns the help text of a problem code. */
export const helpOn = (code: ProblemCode): string => declarationOf(code)[2]

/** Returns every code, in the order of declaration. */
export function allProblems(): ReadonlyMap<string, ProblemDeclaration> {
  return declared
}
