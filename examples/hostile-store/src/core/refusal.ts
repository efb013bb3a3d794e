export type RefusalCode =
  | 'notFound'
  | 'conflict'
  | 'invalid'
  | 'preconditionFailed'
  | 'unavailable'
  | 'unsupported'

/** Says that the store did not do what a call asked for. Nothing has changed. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(
    readonly code: RefusalCode,
    readonly reason: string,
    message: string
  ) {
    super(message)
  }
}

export const reviewInProgress = () =>
  new Refusal('conflict', 'reviewInProgress', 'Changes of the app are already in review')

export const notFound = (version: string) =>
  new Refusal('notFound', 'notFound', `There is no version ${version}`)

export const notRollingOut = (version: string, state: string) =>
  new Refusal('preconditionFailed', 'notRollingOut', `${version} is ${state}: nothing rolls out`)

export const fullyReleased = (version: string) =>
  new Refusal('preconditionFailed', 'fullyReleased', `${version} is with all users`)

export const notInReview = (version: string, state: string) =>
  new Refusal('conflict', 'notInReview', `${version} is ${state}, not in review`)

export const wrongState = (version: string, state: string) =>
  new Refusal('conflict', 'wrongState', `${version} is ${state}`)

export const unsupported = (what: string) =>
  new Refusal('unsupported', 'unsupported', `The store has no ${what}`)
