import type { ParameterDeclaration } from '#foundation/api/operation/parameters'
import { exampleTriageIssue } from './examples.js'

export const parameters: Record<string, ParameterDeclaration> = {
  issueId: { description: 'Id of the triage issue.', example: exampleTriageIssue.id },
}
