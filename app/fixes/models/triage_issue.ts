import { modelOf } from '#foundation/core/database/model_of'
import { triageIssues } from '../tables.js'

export default class TriageIssue extends modelOf(triageIssues) {}
