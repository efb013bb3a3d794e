import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { TSchema } from '@sinclair/typebox'
import type { Instant } from '../../core/clock.js'
import type { ErrorReporterContract } from '@vinejs/vine/types'
import type { InputErrors, PartiallyValid } from '../../core/problems/input_errors.js'
import type { Problem } from '../../core/problems/problem.js'
import type { Scope } from '../../core/scope.js'
import type { OperationResponse, ResponseReader } from './response.js'
import type { Steps } from './steps.js'

/** The part of a compiled VineJS validator that the pipeline and the documents need. */
export interface InputValidator<Output> {
  validate(data: unknown, options?: ValidationOptions): Promise<Output>
  toJSONSchema(): object
  /** Returns the schema of what it accepts, if the document shows more than is checked at once. */
  readSchema?(): object
  /**
   * Maximum length of a list that may be sent instead of one body. The handler checks each item on
   * its own, so that an invalid one fails alone.
   */
  maxList?: number
}

interface ValidationOptions {
  errorReporter?: () => ErrorReporterContract
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/**
 * The permitted callers: anyone (`open`), every key (`read`), keys with one of some user actions,
 * or admin keys. A handler may require more once it knows the subject, but not for a repeated
 * request. With `orOwner`, a key in a group is admitted, too; the handler checks what it owns.
 */
export type Access =
  | { kind: 'open' }
  | { kind: 'read' }
  | { kind: 'actions'; anyOf: readonly [string, ...string[]]; orOwner?: boolean }
  | { kind: 'admin' }

export const open: Access = { kind: 'open' }
export const read: Access = { kind: 'read' }
export const admin: Access = { kind: 'admin' }
export const actions = (...anyOf: [string, ...string[]]): Access => ({ kind: 'actions', anyOf })
export const actionsOrOwner = (...anyOf: [string, ...string[]]): Access => ({
  kind: 'actions',
  anyOf,
  orOwner: true,
})

/** Returns whether an operation needs no key because its path contains a secret token. */
export const hasSecretAddress = ({ access, path }: Pick<AnyOperation, 'access' | 'path'>) =>
  access.kind === 'open' && /\{\w+Token\}/.test(path)

/** Stands for any content type. */
export const ANY_CONTENT = '*/*'

/** The content types that a text body may have, by its format; the first is the standard one. */
export const TEXT_TYPES = {
  yaml: ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/plain'],
  csv: ['text/csv', 'text/plain'],
} as const

/** Maximum size of the part `data` of an upload, in bytes. */
export const MAX_DATA = 64 * 1024

/** The declaration of a body. */
export type BodyDeclaration<Body> =
  | {
      kind: 'json'
      /** Schema name in the OpenAPI document, as the specification spells it. */
      name: string
      /** The content; a field without a description takes that of the same field in `like`. */
      description: string
      validator: InputValidator<Body>
      /** The entity that the request creates or changes. */
      like?: TSchema
      example: unknown
      /** True if a missing body counts as `{}`. */
      optional?: boolean
    }
  | {
      kind: 'text'
      format: keyof typeof TEXT_TYPES
      description: string
      example: string
      maxBytes: number
      /** Converts the bytes for the handler, before the transaction is opened. */
      read: (file: RawBody) => Promise<Body>
    }
  | UploadDeclaration<Body>
  | WireDeclaration

/** A request that the handler reads itself, for protocols with their own headers. */
export interface WireDeclaration {
  kind: 'wire'
  /** The headers that the handler reads, with their descriptions. */
  headers: Readonly<Record<string, string>>
  /** The headers of an example request. */
  example: Readonly<Record<string, string>>
  /** The accepted body; absent for none. `ANY_CONTENT` accepts any type. */
  content?: { contentType: string; description: string; maxBytes: number }
}

/** A request as it arrives. */
export interface Wire {
  method: string
  headers: IncomingHttpHeaders
  bytes: IncomingMessage
}

/**
 * A multipart body with a part `file` and, if declared, a part `data` with JSON. It is streamed to
 * a spool on the local disk and received before the write waits for its turn. Only for operations
 * that require a key.
 */
export interface UploadDeclaration<Body, Data = unknown> {
  kind: 'upload'
  /** Schema name in the OpenAPI document, as the specification spells it. */
  name: string
  description: string
  /** Maximum size of each file, in bytes. */
  maxBytes: number
  /** Maximum number of `file` parts, at most 10; one by default. */
  mostFiles?: number
  /** The part `data`; if it is missing, it counts as `{}`. */
  data?: { validator: InputValidator<Data>; example: unknown }
  /**
   * Converts the file for the handler, and stores on Drive what is to be kept (`storeFile`); the
   * file in the spool is removed afterwards. If it throws, it must first remove what it has stored.
   */
  receive(file: UploadedFile<Data>): Promise<Received<Body>>
}

/** An uploaded file with its data. */
export interface UploadedFile<Data = unknown> extends ArrivedFile {
  data: Data
  /** Further files, if the operation accepts several. */
  more?: readonly ArrivedFile[]
}

/** A file that has arrived whole. */
export interface ArrivedFile {
  /** Path in the spool. */
  path: string
  /** In bytes. */
  size: number
  /** In hexadecimal digits. */
  sha256: string
  /** As declared by the client, so not reliable. */
  contentType: string
  /** To store and show; never used in a path. */
  fileName: string | undefined
}

/** The result of an upload. */
interface Received<Body> {
  /** The input for the handler. */
  value: Body
  /** Keys of its files on Drive, which are removed if the write certainly failed. */
  keys: readonly string[]
}

/** Declares an upload; the type of its data comes from the validator. */
export function upload<Body, Data = undefined>(
  declaration: Omit<UploadDeclaration<Body, Data>, 'kind'>
): UploadDeclaration<Body> {
  return { kind: 'upload', ...declaration }
}

/** One response an operation can give. */
export interface ResponseDeclaration {
  description: string
  /** Absent if the response has no body. */
  schema?: TSchema
  contentType?: string
  /** Alternative types to `contentType`. */
  orTypes?: readonly string[]
  /** Additional headers, with their descriptions. */
  headers?: Readonly<Record<string, string>>
  /**
   * A value, or a function if it depends on what modules add; called when the document is built.
   */
  example?: unknown
}

/** The arguments of a handler. */
export interface Call<Body = undefined, Query = undefined, Prefetched = undefined> {
  scope: Scope
  params: Record<string, string>
  body: Body
  query: Query
  origin: Origin
  /** The result of the operation's `prefetch`; absent without one, or if nobody answered. */
  prefetched?: Prefetched
  /** For a write: the `If-Match` of the requester, which names the present state or any (`*`). */
  ifMatch?: string
}

/** The origin of a request. */
export interface Origin {
  /** The address at which the requester reaches the service; empty if there is none. */
  baseUrl: string
  /** The network address of the requester; absent if it did not come by HTTP. */
  address?: string
  /** The refusal of a request over the limits, if the operation decides whether it is urgent. */
  refusal?: Problem
}

/** The bytes of a body that is not JSON. */
export interface RawBody {
  bytes: Buffer
  contentType: string
  fileName?: string
}

/** A state that somebody else holds, and how to ask for it. */
export interface Present {
  /** The kind of integration that holds it. */
  asks: string
  /** The state; null if there is none. */
  state: Readonly<Record<string, unknown>> | null
  /** Timeline events that the write will cause. */
  events?: readonly { type: string; title: string }[]
}

/** Since when something should not be used any more. */
export interface Deprecation {
  /** Precise to the second. */
  since: Instant
  /** When it will be removed; absent while that is undecided. */
  sunset?: Instant
  /** Address of a page that says what to use instead. */
  link: string
}

/** One operation, declared once: route, checks, documents and tests are read from it. */
interface Operation<Body = never, Query = never, Prefetched = never> {
  id: string
  method: Method
  /** With `{param}` segments, as the specification writes it. */
  path: string
  /** Alternative paths; their responses link to the canonical one. */
  aliases?: readonly string[]
  /** Declared by a module's manifest. */
  tag: string
  /** At most 60 characters. */
  summary: string
  description: string
  /** Not in the specification's index. */
  beyond?: boolean
  /**
   * For pages only: it has no HTTP route, is not in the document, and is not offered to agents.
   */
  surface?: 'pages'
  /** Announced in each of its responses, and in the document. */
  deprecated?: Deprecation
  access: Access
  /** Says whether it is irreversible, and why; every write of the API declares this. */
  steps?: Steps
  /**
   * True if it calls others, directly or through a worker: a provider, a store, a repository, or an
   * address of webhooks. Events and messages, which any change may cause, do not count.
   */
  callsOthers?: true
  /**
   * Checks access rules that `access` cannot express and that need no input.
   * @throws the refusal
   */
  demand?: (scope: Scope) => void
  /**
   * Names the missing action to a refused requester if it depends on the subject of the request.
   * @throws action_missing, not_found
   */
  explainRefusal?: (scope: Scope, params: Record<string, string>) => Promise<void>
  query?: InputValidator<Query>
  body?: BodyDeclaration<Body>
  /**
   * Checks rules about the body that its shape does not express. This is only called for a body
   * with malformed members, so that one response lists all errors; for a valid body the handler
   * calls the same rules. Nothing it writes is stored.
   */
  check?: (call: Call<PartiallyValid<Body>, Query>, errors: InputErrors) => Promise<unknown>
  /**
   * For a write that needs data from others: requests the data after the input is read, before the
   * write waits for its turn, and outside of its transaction. It must be bounded in time, write
   * nothing and refuse nothing: missing data is left out. A rehearsal calls it too, a repeated
   * request does not.
   */
  prefetch?: (call: Call<Body, Query>) => Promise<Prefetched | undefined>
  responses: Readonly<Record<number, ResponseDeclaration>>
  /** Statuses of problems beyond those every operation of its kind can answer. */
  errors?: readonly number[]
  /** Webhook events it may cause. */
  events?: readonly string[]
  /**
   * For writes: the operation id of the GET whose representation `If-Match` refers to. `query`
   * names the query parameters of that GET.
   */
  precondition?: {
    of: string
    query?: (
      params: Record<string, string>,
      query: Query,
      body: Readonly<Record<string, unknown>>
    ) => Record<string, string>
    /**
     * Another representation whose tag is accepted as well, because it changes whenever this does.
     */
    or?: string
    /** True if the write's answer equals that representation, so that its tag is the new one. */
    isResponse?: boolean
  }
  /**
   * For a write without a precondition: the GET operation and query that show the subject before
   * and after it, for rehearsals.
   */
  shownBy?: {
    of: string
    query?: (body: Readonly<Record<string, unknown>>) => Record<string, string>
  }
  /**
   * If a 201 shows more than GET at its `Location`: the id of that GET, whose entity tag the
   * response carries. Otherwise the response is byte for byte that representation.
   */
  creates?: string
  /**
   * True for a write that opens its own transactions, because a request may take longer than rows
   * should be locked. It has no `Idempotency-Key`.
   */
  apart?: boolean
  /**
   * For a deferred write with two steps: returns the present state of its subject, because it
   * cannot be rehearsed. Called before the plan is shown, and again before it is carried out.
   */
  present?: (call: Call<Body, Query>) => Promise<Present>
  /** True if `dryRun=true` answers a list of changes, as for configuration files. */
  dryRun?: 'changes'
  /** Also accepts the key as `Authorization: Bearer`, for protocols whose clients require that. */
  bearer?: boolean
  /** True for a write that must not wait: it may exceed the request limits, and skips the queue. */
  isUrgent?: boolean
  /**
   * True for an operation that carries out others, some of which may be urgent. It is called even
   * over the request limits, and then throws the refusal (`origin.refusal`) unless the other
   * operation is urgent.
   */
  judgesUrgency?: boolean
  /**
   * True for a GET whose answer depends only on stored data, the requester and the request: it is
   * cached while the change number of its organization stays the same. A response that depends on
   * the scope's time is never cached.
   */
  isOfStored?: boolean
  /** True if it answers even while the service stops, when everything else is 503. */
  whileEnding?: boolean
  handle: (call: Call<Body, Query, Prefetched>) => Promise<OperationResponse | ResponseReader>
}

/** An operation with any types of input. */
export type AnyOperation = Operation<never, never, never>

/** Declares an operation; the types of body and query come from their validators. */
export function operation<Body = undefined, Query = undefined, Prefetched = undefined>(
  declaration: Operation<Body, Query, Prefetched>
): AnyOperation {
  return declaration as unknown as AnyOperation
}

export function isWrite(declared: { method: Method }): boolean {
  return declared.method !== 'GET' && declared.method !== 'OPTIONS'
}

/** Returns whether an operation is part of the API, and not only for pages. */
export function isOfApi({ surface }: { surface?: 'pages' }): boolean {
  return surface !== 'pages'
}
