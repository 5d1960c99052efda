/** The INTERACTION_CALLBACKS table: the response types of interactions, their data, and the interaction types that accept them. */

/** Types of interactions. */
export const INTERACTION_TYPES = {
  ping: 1,
  applicationCommand: 2,
  messageComponent: 3,
  autocomplete: 4,
  modalSubmit: 5,
  purchaseEligibility: 6,
} as const
export type InteractionTypeName = keyof typeof INTERACTION_TYPES

/** Content of `data`: a message, changes of a message, choices, a modal, whether a purchase is allowed, or none. */
export type CallbackData = 'none' | 'message' | 'changes' | 'choices' | 'modal' | 'eligibility'

export interface InteractionCallbackRow {
  readonly type: number
  readonly summary: string
  readonly data: CallbackData
  /** Interaction types that accept it. */
  readonly answers: readonly InteractionTypeName[]
  /** Replacement, if the platform deprecated it. */
  readonly deprecated?: string
}

const callback = <const T extends number>(
  type: T,
  data: CallbackData,
  answers: readonly InteractionTypeName[],
  summary: string,
  deprecated?: string,
) => ({ type, summary, data, answers, ...(deprecated === undefined ? {} : { deprecated }) }) as const satisfies InteractionCallbackRow

const WITH_MESSAGE = ['applicationCommand', 'messageComponent', 'modalSubmit'] as const
const FROM_MESSAGE = ['messageComponent', 'modalSubmit'] as const
const WITHOUT_FORM = ['applicationCommand', 'messageComponent'] as const

export const INTERACTION_CALLBACKS = {
  PONG: callback(1, 'none', ['ping'], 'Respond to the ping that the platform uses to verify an endpoint.'),
  CHANNEL_MESSAGE_WITH_SOURCE: callback(4, 'message', WITH_MESSAGE, 'Send a message.'),
  DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE: callback(5, 'message', WITH_MESSAGE, 'Defer the message; send it later by editing this response.'),
  DEFERRED_UPDATE_MESSAGE: callback(6, 'none', FROM_MESSAGE, 'Defer an update of the message that contains the component.'),
  UPDATE_MESSAGE: callback(7, 'changes', FROM_MESSAGE, 'Update the message that contains the component.'),
  APPLICATION_COMMAND_AUTOCOMPLETE_RESULT: callback(8, 'choices', ['autocomplete'], 'Return autocomplete choices.'),
  MODAL: callback(9, 'modal', WITHOUT_FORM, 'Open a modal.'),
  PREMIUM_REQUIRED: callback(
    10,
    'none',
    WITH_MESSAGE,
    'Show that a purchase is required.',
    'send a message with a premium button instead (style 6 and sku_id)',
  ),
  LAUNCH_ACTIVITY: callback(12, 'none', WITH_MESSAGE, 'Start the activity of the application.'),
  SOCIAL_LAYER_SKU_PURCHASE_ELIGIBILITY: callback(
    13,
    'eligibility',
    ['purchaseEligibility'],
    'Say whether the user may buy a SKU of the social layer.',
  ),
} as const satisfies Record<string, InteractionCallbackRow>

export type InteractionCallbackName = keyof typeof INTERACTION_CALLBACKS

/** Returns the callback of a type number with its name; undefined if unknown. */
export function callbackOf(type: number): (InteractionCallbackRow & { readonly name: string }) | undefined {
  const found = Object.entries<InteractionCallbackRow>(INTERACTION_CALLBACKS).find(([, row]) => row.type === type)
  return found === undefined ? undefined : { ...found[1], name: found[0] }
}

/** Whether an interaction of this type accepts the callback. */
export const canAnswer = (interactionType: number, { answers }: InteractionCallbackRow): boolean =>
  answers.some((name) => INTERACTION_TYPES[name] === interactionType)
