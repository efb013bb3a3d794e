/** The parts of a request that step rules may inspect: the body as sent, not yet checked. */
export interface SentRequest {
  body?: unknown
}

/**
 * The steps in which agents carry out a write. One step: at once. Two steps: the first call shows a
 * plan, the second one carries it out. Two steps are for irreversible writes: those that reach
 * users, a store, a branch or an outside address, destroy data, or grant rights, now or later. A
 * stop always takes one step.
 */
export interface Steps {
  /** One or two steps for every request, or either, depending on the request. */
  readonly take: 'one' | 'two' | 'either'
  /** The reason; for `either`, also which requests take two steps. */
  readonly why: string
  /** A few words for the caller about when it takes two steps; empty if it takes one. */
  readonly brief: string
  /** Returns whether this request takes two steps; true if in doubt. */
  readonly areTwo: (request: SentRequest) => boolean
  /**
   * For a write that replaces a whole list: returns whether it is a mere stop, given the present
   * state, so that one step suffices.
   */
  readonly isStop?: (body: SentBody, present: unknown) => boolean
}

/** For writes that another write can undo, and for stops. */
export const oneStep = (why: string): Steps => ({
  take: 'one',
  why,
  brief: '',
  areTwo: () => false,
})

/** For writes that are always irreversible. */
export const twoSteps = (why: string): Steps => ({
  take: 'two',
  why,
  brief: 'Two steps.',
  areTwo: () => true,
})

/**
 * For writes that are irreversible unless their body says otherwise.
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
 * For writes that are irreversible only if their body says so.
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
 * For writes that replace a whole list, and are a stop if they only add to its present state: the
 * representation that their precondition refers to.
 * @param unless what takes one step, in a few words
 */
export const oneStepWhereItStops = (
  isStop: (body: SentBody, present: unknown) => boolean,
  unless: string,
  why: string
): Steps => ({ ...oneStepIf(() => false, unless, why), isStop })

/** The members of a body that is not validated yet. */
export type SentBody = Readonly<Record<string, unknown>>

/** Returns the body of a request; empty if it is no object. */
export const bodyIn = ({ body }: SentRequest): SentBody =>
  typeof body === 'object' && body !== null ? (body as SentBody) : {}

/** Returns whether a body contains a member, even null. */
export const mentions = (body: SentBody, ...members: string[]): boolean =>
  members.some((member) => body[member] !== undefined)

/** Returns whether a body contains a member with a value other than null. */
export const says = (body: SentBody, ...names: string[]): boolean =>
  names.some((name) => (body[name] ?? null) !== null)
