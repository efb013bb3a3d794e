import type { GooglePlay } from './google.js'

/*
 * Google reveals only by refusing a commit whether a person has to submit changes of an app for
 * review, so the plugin keeps it.
 */

const nameOf = ({ packageName }: GooglePlay) => `sentByHand ${packageName}`

export const isSentByHand = async (play: GooglePlay): Promise<boolean> =>
  (await play.ctx.kept.get(nameOf(play))) !== null

export const keepSentByHand = (play: GooglePlay, isByHand: boolean): Promise<void> =>
  play.ctx.kept.set(nameOf(play), isByHand ? 'yes' : null)
