/** The heading of a section. While the daemon is away, it says for when the section is true. */
import { useDashboard } from '../context.ts'
import { timeText } from '../words.ts'

interface HeadingProps {
  readonly id: string
  readonly text: string
}

export function Heading({ id, text }: HeadingProps) {
  const { isLive, seenAt } = useDashboard()
  return (
    <h2 id={id}>
      {text}
      {isLive || seenAt === 0 ? null : <span class="soft"> at {timeText(seenAt)}; not known now</span>}
    </h2>
  )
}
