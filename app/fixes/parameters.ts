import type { ParameterDeclaration } from '#foundation/api/operation/parameters'
import { exampleFixes, exampleTriageIssue } from './examples.js'

export const parameters: Record<string, ParameterDeclaration> = {
  fixRequestId: { description: 'Id of the fix request.', example: exampleFixes.created.id },
  issueId: { description: 'Id of the triage issue.', example: exampleTriageIssue.id },
}
