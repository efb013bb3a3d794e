/** The supported version of tus, the protocol for resumable uploads. */
export const TUS_VERSION = '1.0.0'
