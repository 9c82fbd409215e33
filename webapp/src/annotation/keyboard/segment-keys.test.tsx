import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { currentCommands } from '@/ui/command-registry';
import { SegmentText } from '@/annotation/surface/segment-text';
import { WithAppearance, span } from '@/annotation/testing/fixtures';

afterEach(cleanup);

const Card = ({ text }: { readonly text: string }) => (
  <WithAppearance>
    <SegmentText text={text} name={text} spans={[span('a', 0, 3)]} onFocusSpan={vi.fn()} renderPicker={() => null} />
  </WithAppearance>
);

describe('segments in a list', () => {
  it('are walked with Ctrl and the arrows; only the focused one offers its commands', async () => {
    const user = userEvent.setup();
    render(
      <>
        <Card text="One sentence." />
        <Card text="Two sentences." />
      </>,
    );
    const [one, two] = [screen.getByRole('group', { name: 'One sentence.' }), screen.getByRole('group', { name: 'Two sentences.' })];
    expect(currentCommands()).toEqual([]);
    await user.tab();
    expect(one).toHaveFocus();
    await user.keyboard('{Control>}{ArrowDown}{/Control}');
    expect(two).toHaveFocus();
    expect(currentCommands().filter(({ id }) => id === 'text.cycle')).toHaveLength(1);
    await user.keyboard('{Control>}{ArrowDown}{/Control}');
    expect(two).toHaveFocus();
    await user.keyboard('{Control>}{ArrowUp}{/Control}');
    expect(one).toHaveFocus();
  });
});
