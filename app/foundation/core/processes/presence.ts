/** What a process claims under, for as long as nobody takes it for gone. */
export interface Life {
  /** Who holds what is claimed; null where nobody would take it over. */
  readonly id: string | null
  /** Aborted when others have taken over what it held. */
  readonly lost: AbortSignal
  /** Whether nobody can have taken it for gone by now: false in a process that stood still. */
  isSure(): boolean
}

/** Whether a process is there, as others see it. */
export interface Presence {
  /** The life to claim under; null while others may take this process for gone. */
  life(): Life | null
}

/** The life of one that shares its work with nobody: what it holds ends with its lease. */
export const ALONE: Life = { id: null, lost: new AbortController().signal, isSure: () => true }

/** The presence of one that shares its work with nobody. */
export const alone: Presence = { life: () => ALONE }
