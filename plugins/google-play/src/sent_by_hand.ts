import type { GooglePlay } from './google.js'

/*
 * Whether a person has to submit changes of an app for review. Google reveals it only by refusing a
 * commit, so it is kept.
 */

const nameOf = ({ packageName }: GooglePlay) => `sentByHand ${packageName}`

export const isSentByHand = async (play: GooglePlay): Promise<boolean> =>
  (await play.ctx.kept.get(nameOf(play))) !== null

export const keepSentByHand = (play: GooglePlay, isByHand: boolean): Promise<void> =>
  play.ctx.kept.set(nameOf(play), isByHand ? 'yes' : null)
