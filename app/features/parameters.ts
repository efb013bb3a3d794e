import type { ParameterDeclaration } from '#foundation/api/operation/parameters'
import { exampleFlag, exampleNotes } from './examples.js'

export const parameters: Record<string, ParameterDeclaration> = {
  flagId: { description: 'Id of the flag at its provider, or its key.', example: exampleFlag.id },
  notesType: {
    description: 'What the notes are for: `releaseNotes`, `betaNotes` or `announcement`.',
    example: exampleNotes.notesType,
  },
}
