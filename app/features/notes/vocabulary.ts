/** The purposes of notes. */
export const NOTES_TYPES = ['releaseNotes', 'betaNotes', 'announcement'] as const
export type NotesType = (typeof NOTES_TYPES)[number]

/** The steps that notes are written at. */
export const NOTES_STEP_TYPES = ['metadata', 'betaTesting'] as const
export type NotesStepType = (typeof NOTES_STEP_TYPES)[number]
