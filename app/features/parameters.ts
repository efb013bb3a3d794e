import type { ParameterDeclaration } from '#foundation/api/operation/parameters'
import { exampleFlag, exampleNotes } from './examples.js'

export const parameters: Record<string, ParameterDeclaration> = {
  flagId: { description: 'Id of the flag at its provider, or its key.', example: exampleFlag.id },
  notesType: {
    description: 'Purpose of the notes: `releaseNotes`, `betaNotes` or `announcement`.',
    example: exampleNotes.notesType,
  },
}
