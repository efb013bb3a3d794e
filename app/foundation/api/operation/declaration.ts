import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { TSchema } from '@sinclair/typebox'
import type { Instant } from '../../core/clock.js'
import type { ErrorReporterContract } from '@vinejs/vine/types'
import type { Faults, PartiallyValid } from '../../core/problems/faults.js'
import type { Problem } from '../../core/problems/problem.js'
import type { Scope } from '../../core/scope.js'
import type { Answer, Answering } from './answer.js'
import type { Steps } from './steps.js'

/** The part of a compiled VineJS validator that the pipeline and the documents need. */
export interface InputValidator<Output> {
  validate(data: unknown, options?: ValidationOptions): Promise<Output>
  toJSONSchema(): object
  /** The schema of what it accepts, if the document shows more than is checked at once. */
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
 * request. With `orOwner`, a key of some group may also own what it changes: the handler decides.
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

/** The content type of bytes of any. */
export const ANY_CONTENT = '*/*'

/** The content types that a body of text may have, by its format; the first is its own. */
export const TEXT_TYPES = {
  yaml: ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/plain'],
  csv: ['text/csv', 'text/plain'],
} as const

/** Largest part `data` of an upload, in bytes. */
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
      /** Makes what the handler gets of the bytes, before the transaction is opened. */
      read: (file: RawBody) => Promise<Body>
    }
  | UploadDeclaration<Body>
  | WireDeclaration

/** A request that its handler reads as it comes, for protocols with headers of their own. */
export interface WireDeclaration {
  kind: 'wire'
  /** The headers that it reads, with what each says. */
  headers: Readonly<Record<string, string>>
  /** The headers of a request that may be made. */
  example: Readonly<Record<string, string>>
  /** The bytes that it takes; absent if it takes none. `ANY_CONTENT` is whatever comes. */
  content?: { contentType: string; description: string; maxBytes: number }
}

/** A request as it comes. */
export interface Wire {
  method: string
  headers: IncomingHttpHeaders
  bytes: IncomingMessage
}

/**
 * A multipart body of a part `file` and, where it is declared, a part `data` of JSON. It is
 * streamed to a spool on the local disk and received before the write waits for its turn.
 * For writes that ask for a key only.
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
   * Makes what the handler gets, storing on Drive what is to last (`storeFile`): the file of
   * the spool is gone afterwards. What it stored before it throws it takes back itself.
   */
  receive(file: UploadedFile<Data>): Promise<Received<Body>>
}

/** A file that has arrived whole, with what came with it. */
export interface UploadedFile<Data = unknown> extends ArrivedFile {
  data: Data
  /** Further files, where there may be several. */
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
  /** The client's word, not to be relied on. */
  contentType: string
  /** Data to keep and show, never part of a path. */
  fileName: string | undefined
}

/** The result of an upload. */
interface Received<Body> {
  /** For the handler. */
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

/** One answer an operation can give. */
export interface AnswerDeclaration {
  description: string
  /** Absent: the answer has no body. */
  schema?: TSchema
  contentType?: string
  /** Other types that it may have in place of `contentType`. */
  orTypes?: readonly string[]
  /** Headers of its own, with what each says. */
  headers?: Readonly<Record<string, string>>
  /** Made when the document is, where parts add to it. */
  example?: unknown
}

/** The arguments of a handler. */
export interface Call<Body = undefined, Query = undefined, Ahead = undefined> {
  scope: Scope
  params: Record<string, string>
  body: Body
  query: Query
  origin: Origin
  /** The result of `ahead`; absent without one, or if nobody answered. */
  ahead?: Ahead
  /** For a write: the `If-Match` of the requester, which names the present state or any (`*`). */
  ifMatch?: string
}

/** The origin of a request. */
export interface Origin {
  /** The address the requester reaches the service at; empty if there is none. */
  baseUrl: string
  /** The network address of the requester; absent if it did not come by HTTP. */
  address?: string
  /** Why the request is beyond the limits, where its operation judges whether it is urgent. */
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
  /** A kind of integrations. */
  asks: string
  /** Null if nobody has it. */
  state: Readonly<Record<string, unknown>> | null
  /** Timeline events that follow once it is done. */
  events?: readonly { type: string; title: string }[]
}

/** Since when something should not be used any more. */
export interface Deprecation {
  /** By the second. */
  since: Instant
  /** When it is gone; absent while nobody has decided that. */
  sunset?: Instant
  /** Address of a page that says what to use instead. */
  link: string
}

/** One operation, declared once: route, checks, documents and tests are read from it. */
interface Operation<Body = never, Query = never, Ahead = never> {
  id: string
  method: Method
  /** With `{param}` segments, as the specification writes it. */
  path: string
  /** Other paths that mean the same; they answer with a link to the canonical one. */
  aliases?: readonly string[]
  /** Declared by a module's manifest. */
  tag: string
  /** At most 60 characters. */
  summary: string
  description: string
  /** Not in the specification's index. */
  beyond?: boolean
  /**
   * For pages alone: it is carried out as every other, and HTTP has no route to it, the document
   * does not name it, and agents are not offered it.
   */
  surface?: 'pages'
  /** Announced in each of its answers, and in the document. */
  deprecated?: Deprecation
  access: Access
  /** States whether it is irreversible, and why; every write of the API declares it. */
  steps?: Steps
  /**
   * True if it calls others, at once or through a worker: a provider, a store, a repository, or an
   * address of webhooks. Events and messages, which any change may cause, do not count.
   */
  callsOthers?: true
  /** Checks what `access` cannot express; it needs no input. @throws the refusal */
  demand?: (scope: Scope) => void
  /**
   * Names the missing action to a refused asker if it depends on the subject of the request.
   * @throws action_missing, not_found
   */
  explainRefusal?: (scope: Scope, params: Record<string, string>) => Promise<void>
  query?: InputValidator<Query>
  body?: BodyDeclaration<Body>
  /**
   * Rules about the body that its shape does not express. They also run for a body of which some
   * members are broken, so that one answer lists all errors: the handler calls the same rules for a
   * whole body. Nothing it writes is stored.
   */
  check?: (call: Call<PartiallyValid<Body>, Query>, faults: Faults) => Promise<unknown>
  /**
   * For a write that needs data of others: requests it once the input is read, before the write
   * waits for its turn and outside of its transaction. It is bounded in time, writes nothing and
   * refuses nothing: missing data is left out. A dry run requests it too, a repetition does not.
   */
  ahead?: (call: Call<Body, Query>) => Promise<Ahead | undefined>
  answers: Readonly<Record<number, AnswerDeclaration>>
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
    /** Another representation whose tag will do as well: it changes whenever the first does. */
    or?: string
    /** Its own answer is byte for byte that representation, so the new tag is the answer's. */
    isAnswer?: boolean
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
   * If a 201 shows more than GET at its `Location`: the id of that GET, whose entity tag the answer
   * carries. Otherwise the answer is byte for byte that representation.
   */
  creates?: string
  /**
   * A write that makes its transactions itself, since a request may take longer than rows may
   * be locked; what makes others repeatable (`Idempotency-Key`) it does not know.
   */
  apart?: boolean
  /**
   * For a deferred write with two steps: returns the present state of its subject, because it
   * cannot be rehearsed. Called before the plan is shown, and again before it is carried out.
   */
  present?: (call: Call<Body, Query>) => Promise<Present>
  /** True if `dryRun=true` answers a list of changes, as for configuration files. */
  dryRun?: 'changes'
  /** Takes the key as `Authorization: Bearer` too, where clients of a protocol know no other way. */
  bearer?: boolean
  /** For what must not wait: it is let in beyond the limits of requests, and stands in no line. */
  isUrgent?: boolean
  /**
   * For what carries out others, of which one may be urgent: beyond the limits of requests it gets
   * the refusal (`origin.refusal`), and throws it unless its input is of such a one.
   */
  judgesUrgency?: boolean
  /**
   * For a GET whose answer depends only on stored data, the asker and the request: it is cached
   * while the change number of its organization stays the same. An answer that depends on the
   * scope's time is built anew each time.
   */
  isOfStored?: boolean
  /** Answers also while the service is being stopped, when everything else is 503. */
  whileEnding?: boolean
  handle: (call: Call<Body, Query, Ahead>) => Promise<Answer | Answering>
}

/** An operation whose input types are its own matter. */
export type AnyOperation = Operation<never, never, never>

/** Declares an operation; the types of body and query come from their validators. */
export function operation<Body = undefined, Query = undefined, Ahead = undefined>(
  declaration: Operation<Body, Query, Ahead>
): AnyOperation {
  return declaration as unknown as AnyOperation
}

export function isWrite(declared: { method: Method }): boolean {
  return declared.method !== 'GET' && declared.method !== 'OPTIONS'
}

/** Returns whether clients of the API have an operation, and not pages alone. */
export function isOfApi({ surface }: { surface?: 'pages' }): boolean {
  return surface !== 'pages'
}
