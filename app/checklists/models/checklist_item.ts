import { modelOf } from '#foundation/core/database/model_of'
import { checklistItems } from '../tables.js'

/** An item as the app defines it; releases hold copies. */
export default class ChecklistItem extends modelOf(checklistItems) {}
