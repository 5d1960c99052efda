/** What the game loop plays. */
#pragma once

void PrintValues();
