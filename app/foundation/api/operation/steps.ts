/** The parts of a request that step rules may inspect: the body as sent, not yet checked. */
export interface SentRequest {
  body?: unknown
}

/**
 * The steps in which callers other than people carry out a write. In one step: at once. In two: the
 * first call shows a plan, the second one carries it out. Two steps are for irreversible writes:
 * those that reach users, a store, a branch or an outside address, destroy data, or grant rights,
 * now or later. A stop is always one step.
 */
export interface Steps {
  /** One or two steps for every request, or either, depending on the request. */
  readonly take: 'one' | 'two' | 'either'
  /** Why; of `either` also when it takes how many. */
  readonly why: string
  /** In a few words, for who is about to ask, when it takes two; empty if it takes one. */
  readonly brief: string
  /** Returns whether this request takes two steps; true if in doubt. */
  readonly areTwo: (request: SentRequest) => boolean
  /**
   * For a replacement of a whole: returns whether one step suffices in view of the present state.
   */
  readonly isStop?: (body: SentBody, present: unknown) => boolean
}

/** For what can be taken back by asking for something else, and for stops. */
export const oneStep = (why: string): Steps => ({
  take: 'one',
  why,
  brief: '',
  areTwo: () => false,
})

/** For what is irreversible, whatever is asked. */
export const twoSteps = (why: string): Steps => ({
  take: 'two',
  why,
  brief: 'Two steps.',
  areTwo: () => true,
})

/**
 * For what is irreversible unless its body says otherwise.
 * @param unless what takes one step, in a few words
 */
export const oneStepIf = (
  isOne: (body: SentBody) => boolean,
  unless: string,
  why: string
): Steps => ({
  take: 'either',
  why,
  brief: `Two steps, but for ${unless}.`,
  areTwo: (request) => !isOne(bodyIn(request)),
})

/**
 * For what is irreversible only where its body says so.
 * @param where what takes two steps, in a few words
 */
export const twoStepsIf = (
  isTwo: (body: SentBody) => boolean,
  where: string,
  why: string
): Steps => ({
  take: 'either',
  why,
  brief: `Two steps ${where}.`,
  areTwo: (request) => isTwo(bodyIn(request)),
})

/**
 * For what replaces a whole, and is a stop where it only adds to what is there now: the
 * representation that its precondition speaks of.
 * @param unless what takes one step, in a few words
 */
export const oneStepWhereItStops = (
  isStop: (body: SentBody, present: unknown) => boolean,
  unless: string,
  why: string
): Steps => ({ ...oneStepIf(() => false, unless, why), isStop })

/** The members of a body, of which nothing is known yet. */
export type SentBody = Readonly<Record<string, unknown>>

/** The body of a request, as far as it has members. */
export const bodyIn = ({ body }: SentRequest): SentBody =>
  typeof body === 'object' && body !== null ? (body as SentBody) : {}

/** Returns whether a body contains a member, even null. */
export const mentions = (body: SentBody, ...members: string[]): boolean =>
  members.some((member) => body[member] !== undefined)

/** Returns whether a body contains a member with a value other than null. */
export const says = (body: SentBody, ...names: string[]): boolean =>
  names.some((name) => (body[name] ?? null) !== null)
